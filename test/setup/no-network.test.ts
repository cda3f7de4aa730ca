// Set-up on a fresh machine whose network leads nowhere: something takes its calls, and never answers, or is not trusted.
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { selfSigned, tempDir } from '@bursar/testing'

// npm alone would go on for minutes.
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

interface Registry {
  url: string
  close(): unknown
}

/** A registry that takes calls, and never answers. */
async function silentRegistry(): Promise<Registry> {
  const sockets = createServer(() => {})
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve))
  const { port } = sockets.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/`, close: () => sockets.close() }
}

/** What a proxy that opens TLS shows in the place of the registry. */
function interceptedRegistry(): Registry {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, tls: selfSigned, fetch: () => new Response('{}') })
  return { url: `https://127.0.0.1:${server.port}/`, close: () => server.stop(true) }
}

async function setUp(folder: string, tools: string, at: () => Registry | Promise<Registry> = silentRegistry) {
  const { url: registry, close } = await at()
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
  await close()
  return { code, said }
}

/** A folder for the PATH with these programs alone. */
function toolsWith(programs: Record<string, string>): string {
  const folder = tempDir()
  for (const [name, program] of Object.entries(programs)) symlinkSync(program, join(folder, name))
  return folder
}
const nodeAndNpm = { node: Bun.which('node') ?? '', npm: Bun.which('npm') ?? '' }

test.concurrent('set-up says what it installs, and gives up on Bun with what to do', async () => {
  const folder = checkout()
  // Another version, which a stack may run by.
  const before = join(folder, '.cache/bun/node_modules/.bin/bun')
  mkdirSync(dirname(before), { recursive: true })
  writeFileSync(before, '#!/bin/sh\necho 1.0.0\n', { mode: 0o755 })
  const { code, said } = await setUp(folder, toolsWith(nodeAndNpm))
  expect(code).toBe(1)
  expect(existsSync(before)).toBe(true)
  expect(said).toStartWith(`set-up: Bun ${pinned} is not here yet: installing it with npm into .cache/bun\n`)
  expect(said).toEndWith(
    'set-up: Installing Bun failed: the package registry cannot be reached from this machine. It is needed once: ' +
      `check the network, or put Bun ${pinned} on the PATH.\n`,
  )
})

test.concurrent('and on the dependencies', async () => {
  const folder = checkout()
  const { code, said } = await setUp(folder, toolsWith({ ...nodeAndNpm, bun: process.execPath }))
  expect(code).toBe(1)
  expect(said).toContain('set-up: installing the dependencies that bun.lock names\n')
  expect(said).toEndWith('It is needed once: check the network and try again.\n')
})

// Not beside each other: npm is asked twice for each, and has ten seconds.
test.each([
  ['Bun', nodeAndNpm],
  ['the dependencies', { ...nodeAndNpm, bun: process.execPath }],
])('behind a proxy that opens TLS set-up says which setting has %s installed', async (what, tools) => {
  const { code, said } = await setUp(checkout(), toolsWith(tools), interceptedRegistry)
  expect(code).toBe(1)
  expect(said).toContain(
    `set-up: Installing ${what} failed: the package registry shows a certificate that is not trusted`,
  )
  expect(said).toContain('Set NODE_EXTRA_CA_CERTS to the file')
  // npm alone would go on for minutes; a busy machine may need more than the quarter of one after which it says so.
  const seconds = [...said.matchAll(/still installing, after (\d+) s/g)].map(([, after]) => Number(after))
  expect(Math.max(0, ...seconds)).toBeLessThan(60)
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
