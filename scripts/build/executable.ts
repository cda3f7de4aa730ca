// One file that needs neither Bun, Node nor a checkout: Bun itself, all services and commands as compiled code, and what
// they read: migrations, lists, pages.
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { syncNow } from '@bursar/store/on-disk'
import { writeBuilt } from '../../services/gateway/src/console/files/whole-build'
import { claimScratch, unfinished } from '../stack/scratch'
import { compile } from './compile'
import type { Place } from './placed'

/** What is read at run time, besides code, by its path in the checkout. */
const read = [
  '.env.example',
  'services/*/migrations/**/*',
  'services/sanctions/ofac/**/*.txt',
  'services/identity-manager/src/passwords/common-passwords.txt',
]
/** A thread's program, which must be JavaScript there. */
const worker = 'packages/store/src/engine/checkpoint-worker.ts'

const pages = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']

/** Where files lie in an executable. */
const inside = '/$bunfs/root/files'

/** In the executable packages lie in one folder, and its commands are its own. */
const inExecutable = (root: string): Place => ({
  of: (path) => join(inside, relative(root, path)),
  resolved: (name) => `('file://${inside}/node_modules/' + ${name})`,
  also: (text) => text.replaceAll(/\bbun run (?=[a-z])/g, 'bursar ').replaceAll('scripts/start', 'bursar start'),
})

/** Makes the executable for this platform. Answers its path. */
export async function makeExecutable(root: string, file: string): Promise<string> {
  const cache = join(root, '.cache/build')
  mkdirSync(cache, { recursive: true })
  const stage = join(cache, `executable-${process.pid}${unfinished}`)
  const scratch = claimScratch(stage)
  try {
    mkdirSync(stage)
    await gather(root, join(stage, 'files'))
    const half = join(stage, basename(file))
    await compile(root, half, {
      main: 'scripts/build/executable-main.ts',
      place: inExecutable(root),
      assets: [join(stage, 'files')],
    })
    const made = resolve(file)
    putInPlace(half, made)
    return made
  } finally {
    scratch.remove()
  }
}

/** Copies it beside its place first: a rename replaces one that runs. What could not be copied whole is removed. */
export function putInPlace(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  const draft = `${to}.new`
  try {
    copyFileSync(from, draft)
    syncNow(draft)
    renameSync(draft, to)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Copies what is read at run time into a folder, and builds the console there. */
async function gather(root: string, folder: string): Promise<void> {
  const copy = (from: string, to: string) => {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    copyFileSync(from, join(folder, to))
  }
  for (const pattern of read)
    for (const path of new Bun.Glob(pattern).scanSync({ cwd: root, dot: true })) copy(join(root, path), path)
  const plain = new Bun.Transpiler({ loader: 'ts', target: 'bun' }).transformSync(
    readFileSync(join(root, worker), 'utf8'),
  )
  mkdirSync(dirname(join(folder, worker)), { recursive: true })
  writeFileSync(join(folder, worker), plain)
  const swagger = dirname(Bun.resolveSync('swagger-ui-dist/package.json', join(root, 'packages/http')))
  for (const name of pages) copy(join(swagger, name), `node_modules/swagger-ui-dist/${name}`)
  await writeBuilt(join(folder, 'node_modules/@bursar/console'))
}
