import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { typesOf } from '@bursar/testing/generated-types'

const folder = join(import.meta.dir, '..')
const root = join(folder, '../..')

interface Manifest {
  name: string
  version: string
  dependencies: Record<string, string>
  workspaces: { catalog: Record<string, string> }
}

const manifestAt = (path: string): Manifest => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))

/**
 * Compiles the client and packs it as npm does, below an empty folder; answers the path of the tarball. `document` is the
 * gateway's OpenAPI document.
 */
export async function packClient(document: unknown, to: string): Promise<string> {
  const dist = join(to, 'package/dist')
  const types = join(to, 'api.d.ts')
  mkdirSync(dist, { recursive: true })
  writeFileSync(types, await typesOf(document))
  const settings = {
    extends: join(folder, 'tsconfig.json'),
    compilerOptions: { outDir: dist, rootDir: join(folder, 'src'), paths: { '#api': [types] } },
    files: [join(folder, 'src/index.ts')],
  }
  writeFileSync(join(to, 'tsconfig.json'), JSON.stringify(settings))
  await run([join(root, 'node_modules/.bin/tsc'), '-p', join(to, 'tsconfig.json')], root)
  cpSync(types, join(dist, 'api.d.ts'))
  cpSync(join(folder, 'README.md'), join(to, 'package/README.md'))
  writeFileSync(join(to, 'package/package.json'), JSON.stringify(published(), null, 2))
  const [packed] = JSON.parse(await run(['npm', 'pack', '--json', '--pack-destination', to], join(to, 'package')))
  return join(to, packed.filename)
}

/** The package.json of the packed client: with versions in place of the workspace's words for them. */
function published() {
  const { name, version, dependencies } = manifestAt(folder)
  const { catalog } = manifestAt(root).workspaces
  return {
    name,
    version,
    description: 'Calls Bursar, a platform for payments in digital assets, through its gateway.',
    license: 'UNLICENSED',
    type: 'module',
    engines: { node: '>=20.3' },
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    files: ['dist'],
    dependencies: Object.fromEntries(
      Object.entries(dependencies).map(([each, said]) => [each, said === 'catalog:' ? catalog[each] : said]),
    ),
  }
}

/** Runs a command to its end; answers what it printed. Throws with that when it fails. */
async function run(command: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdout: 'pipe', stderr: 'pipe' })
  const [said, complained, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${said}${complained}`)
  return said
}
