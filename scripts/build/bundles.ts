// Each service in one file of compiled code. It starts with 40 to 60 % of the processor time that the sources take, by machine:
// Bun neither reads a thousand files nor compiles them.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claimScratch, unfinished } from '../backup/scratch'
import { inCheckout, type Place, placed } from './placed'

/** Where the bundles lie in a checkout, one folder for each state of the sources. */
const builds = '.cache/build'
const buildsOf = (root: string) => join(root, builds)

const consolePage = 'packages/console/index.html'

/** The gateway's bundle has the console beside it, built and compressed. */
const besideConsole: Place = {
  ...inCheckout,
  resolved: (name, folder) =>
    name.includes('@bursar/console/')
      ? "Bun.pathToFileURL(__dirname + '/console/package.json').href"
      : inCheckout.resolved(name, folder),
}

/** The sources that bundles are made from: what the services run, and the console's pages. */
function sourcesOf(root: string): string[] {
  const rooms = ['packages', 'services'].flatMap((room) =>
    readdirSync(join(root, room)).map((name) => join(room, name)),
  )
  const folders = rooms.filter((room) => existsSync(join(root, room, 'src')))
  const names = folders.flatMap((folder) =>
    readdirSync(join(root, folder, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  const others = ['bun.lock', consolePage].map((path) => join(root, path)).filter((path) => existsSync(path))
  return [...names, ...others].sort()
}

/** What bundles depend on: the sources, the dependencies, Bun, and the place of the checkout. */
function keyOf(root: string): string {
  const hash = createHash('sha256').update(`${Bun.version} ${root}`)
  for (const path of sourcesOf(root)) hash.update(`\0${path}\0`).update(readFileSync(path))
  return hash.digest('hex').slice(0, 32)
}

/** The path in the checkout of a service's bundle as its sources are now; null when there is none. */
export function bundleOf(root: string): (service: string) => string | null {
  if (!existsSync(buildsOf(root))) return () => null
  const folder = join(builds, keyOf(root))
  return (service) => {
    const path = join(folder, service, 'main.js')
    return existsSync(join(root, path)) ? path : null
  }
}

/** Loaded only here: whoever looks for bundles needs no builder. */
async function writeConsole(folder: string): Promise<void> {
  const { writeBuilt } = await import('../../services/gateway/src/console/files/whole-build')
  await writeBuilt(folder)
}

/**
 * Takes the sources' text out of a source map: traces say lines of files that lie there. An error whose trace is shown for
 * the first time makes Bun read the whole map, which takes half as long without.
 */
async function leaveOutSources(path: string): Promise<void> {
  const map = await Bun.file(path).json()
  await Bun.write(path, JSON.stringify({ ...map, sourcesContent: map.sources.map(() => '') }))
}

/** Makes the bundle of a service in `folder`, whole or not at all: a stack may start meanwhile. Answers its bytes. */
async function makeBundle(root: string, service: string, folder: string): Promise<number> {
  mkdirSync(dirname(folder), { recursive: true })
  const stage = join(dirname(folder), `${service}-${process.pid}${unfinished}`)
  const scratch = claimScratch(stage)
  try {
    const half = join(stage, 'new')
    const { outputs } = await Bun.build({
      entrypoints: [join(root, 'services', service, 'src/main.ts')],
      outdir: half,
      target: 'bun',
      format: 'cjs',
      bytecode: true,
      sourcemap: 'linked',
      minify: { whitespace: true, syntax: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      plugins: [placed(besideConsole)],
    })
    await Promise.all(outputs.filter(({ kind }) => kind === 'sourcemap').map(({ path }) => leaveOutSources(path)))
    if (service === 'gateway') await writeConsole(join(half, 'console'))
    const bytes = outputs.reduce((sum, { path }) => sum + statSync(path).size, 0)
    mkdirSync(folder, { recursive: true })
    // Removed piece by piece in its place, it would be half a bundle meanwhile.
    if (existsSync(join(folder, service))) renameSync(join(folder, service), join(stage, 'old'))
    renameSync(half, join(folder, service))
    return bytes
  } finally {
    scratch.remove()
  }
}

/** Makes the bundles of these services, and removes those of all sources but these and the last before them. `made` hears of each, with its bytes. */
export async function makeBundles(
  root: string,
  services: readonly string[],
  made: (service: string, bytes: number) => void,
): Promise<void> {
  const key = keyOf(root)
  const folder = join(buildsOf(root), key)
  for (const service of services) made(service, await makeBundle(root, service, folder))
  // A stack that was started before runs the bundles of before, and starts them again when they die.
  // Others may be made meanwhile, and an executable, each in a folder of its own there.
  const older = readdirSync(buildsOf(root)).filter((name) => name !== key && !name.includes(unfinished))
  const age = (name: string) => statSync(join(buildsOf(root), name)).mtimeMs
  for (const name of older.sort((a, b) => age(b) - age(a)).slice(1)) {
    rmSync(join(buildsOf(root), name), { recursive: true, force: true })
  }
}
