// Set-up on a fresh machine whose network leads nowhere: something takes its calls, and never answers.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { tempDir } from '@bursar/testing'

// npm alone would go on for minutes.
setDefaultTimeout(60_000)

const root = dirname(dirname(import.meta.dir))
const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.bun as string

/** A checkout with nothing installed. */
function checkout(): string {
  const folder = tempDir()
  const patterns = ['packages/*/package.json', 'services/*/package.json']
  const workspaces = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  for (const name of ['package.json', 'bun.lock', 'scripts/setup.mjs', ...workspaces]) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    copyFileSync(join(root, name), join(folder, name))
  }
  return folder
}

async function setUp(folder: string, tools: string) {
  const sockets = createServer(() => {})
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve))
  const registry = `http://127.0.0.1:${(sockets.address() as { port: number }).port}/`
  const home = tempDir()
  const child = Bun.spawn([Bun.which('node') ?? 'node', 'scripts/setup.mjs'], {
    cwd: folder,
    env: {
      PATH: `${tools}:/usr/bin:/bin`,
      HOME: home,
      BUN_INSTALL_CACHE_DIR: join(home, 'cache'),
      npm_config_registry: registry,
      NPM_CONFIG_REGISTRY: registry,
      BUN_CONFIG_REGISTRY: registry,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = await new Response(child.stderr).text()
  const code = await child.exited
  sockets.close()
  return { code, said }
}

/** A folder for the PATH with these programs alone. */
function toolsWith(programs: Record<string, string>): string {
  const folder = tempDir()
  for (const [name, program] of Object.entries(programs)) symlinkSync(program, join(folder, name))
  return folder
}
const nodeAndNpm = { node: Bun.which('node') ?? '', npm: Bun.which('npm') ?? '' }

test('set-up says what it installs, and gives up on Bun with what to do', async () => {
  const { code, said } = await setUp(checkout(), toolsWith(nodeAndNpm))
  expect(code).toBe(1)
  expect(said).toStartWith(`set-up: Bun ${pinned} is not here yet: installing it with npm into .cache/bun\n`)
  expect(said).toEndWith(
    'set-up: Installing Bun failed: the package registry cannot be reached from this machine. It is needed once: ' +
      `check the network, or put Bun ${pinned} on the PATH.\n`,
  )
})

test('and on the dependencies', async () => {
  const folder = checkout()
  const { code, said } = await setUp(folder, toolsWith({ ...nodeAndNpm, bun: process.execPath }))
  expect(code).toBe(1)
  expect(said).toContain('set-up: installing the dependencies that bun.lock names\n')
  expect(said).toEndWith('It is needed once: check the network and try again.\n')
})

test('what needs no network is done without one', async () => {
  const folder = checkout()
  const none = { name: 'none', private: true, devDependencies: {} }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...none, devDependencies: { bun: pinned } }))
  mkdirSync(join(folder, 'node_modules'))
  const hash = new Bun.CryptoHasher('sha256').update(readFileSync(join(folder, 'bun.lock'))).digest('hex')
  writeFileSync(join(folder, 'node_modules/.made-from'), hash)
  expect(await setUp(folder, toolsWith({ ...nodeAndNpm, bun: process.execPath }))).toEqual({ code: 0, said: '' })
})
