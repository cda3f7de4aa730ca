import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@bursar/contracts/log'
import type { Worker } from '@bursar/store'
import { type Environment, sources } from './build'
import { best } from './built-file'
import { type WholeBuild, wholeBuild } from './whole-build'

/** The build to serve; null when the build failed, which was logged. */
export type CurrentBuild = () => Promise<WholeBuild | null>

interface Made {
  /** The version of the sources. */
  stamp: number
  build: Promise<WholeBuild | null>
}

/** One per process, because tests start many gateways. */
const made = new Map<string, Made>()

/** Built at the first request; `watched`: again after each change of its sources, for development. */
export function currentBuild(
  log: Log,
  {
    watched,
    folder = sources,
    environment = 'sandbox',
  }: { watched: boolean; folder?: string; environment?: Environment },
): CurrentBuild {
  const name = `${environment} ${folder}`
  return () => {
    const known = made.get(name)
    if (known && !watched) return known.build
    const stamp = watched ? newestChange(folder) : 0
    if (known?.stamp === stamp) return known.build
    const build = buildLogged(log, folder, environment)
    made.set(name, { stamp, build })
    return build
  }
}

async function buildLogged(log: Log, folder: string, environment: Environment): Promise<WholeBuild | null> {
  const started = performance.now()
  try {
    const build = await wholeBuild(folder, environment)
    log.info({ ms: Math.round(performance.now() - started), files: build.assets.size }, 'The console is built')
    return build
  } catch (err) {
    const problems = problemsOf(err)
    log.error(problems.length > 0 ? { problems } : { err }, 'The console cannot be built: /console answers 503')
    return null
  }
}

/** Bun reports each file's problem as a separate error. */
const problemsOf = (error: unknown): string[] =>
  error instanceof AggregateError ? error.errors.map((each: unknown) => String(each)) : []

/** In milliseconds since 1970; of src/ alone, since beside it are packages that link to each other. */
const newestChange = (folder: string): number =>
  Math.max(
    ...readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true }).map(
      ({ parentPath, name }) => statSync(join(parentPath, name)).mtimeMs,
    ),
  )

/** Builds and compresses everything before the first browser comes, as nearly all of them want it. */
export function prepare(current: CurrentBuild): Worker {
  const prepared = compressAll(current)
  return { stop: () => prepared }
}

async function compressAll(current: CurrentBuild): Promise<void> {
  const build = await current()
  const pages = [build?.page, build?.logIn].flatMap((page) => page ?? [])
  for (const file of build ? [...pages, ...build.assets.values()] : []) {
    await file.body(best)
  }
}
