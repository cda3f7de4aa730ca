import { AppError } from '@bursar/http'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { handled } from '../proxy/handled'
import type { AnswerForService } from '../proxy/proxy'
import { foldPath } from '../routing/fold-path'
import { partsOf } from '../routing/target'
import { serveFiles } from './files/serve-files'

/** Answers what is for the operators' console; undefined for all else. */
export function createConsole(deps: GatewayDeps): AnswerForService {
  return (request) => {
    const path = pathIn(request.url)
    if (path === null) return undefined
    return handled(deps, request, '/console/*', async (context) => {
      if (isBelow(path, '/console/api')) throw fail('NOT_FOUND')
      const answer = await serveFiles(deps.consoleBuild, request, path)
      answer.headers.set('x-request-id', context.id)
      return answer
    })
  }
}

/** The path of what is the console's, in the one form that is decided on. A path that cannot be read is refused later. */
function pathIn(url: string): string | null {
  const { path } = partsOf(url)
  if (!path.includes('console')) return null
  try {
    const folded = foldPath(path)
    return isBelow(folded, '/console') ? folded : null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`)
