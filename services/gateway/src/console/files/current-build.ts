import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@bursar/contracts/log'
import type { Worker } from '@bursar/store'
import { type Build, buildConsole, sources } from './build'
import { codings } from './built-file'

/** The build to serve; null when the build failed, which was logged. */
export type CurrentBuild = () => Promise<Build | null>

interface Made {
  /** The version of the sources. */
  stamp: number
  build: Promise<Build | null>
}

/** One per process, because tests start many gateways. */
const made = new Map<string, Made>()

/** Built at the first request; `watched`: again after each change of its sources, for development. */
export function currentBuild(
  log: Log,
  { watched, folder = sources }: { watched: boolean; folder?: string },
): CurrentBuild {
  return () => {
    const known = made.get(folder)
    if (known && !watched) return known.build
    const stamp = watched ? newestChange(folder) : 0
    if (known?.stamp === stamp) return known.build
    const build = buildLogged(log, folder)
    made.set(folder, { stamp, build })
    return build
  }
}

async function buildLogged(log: Log, folder: string): Promise<Build | null> {
  const started = performance.now()
  try {
    const build = await buildConsole(folder)
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

/** Builds and compresses everything before the first browser comes. */
export function prepare(current: CurrentBuild): Worker {
  const prepared = compressAll(current)
  return { stop: () => prepared }
}

async function compressAll(current: CurrentBuild): Promise<void> {
  const build = await current()
  for (const file of build ? [build.page, ...build.assets.values()] : []) {
    for (const coding of codings) await file.body(coding)
  }
}
