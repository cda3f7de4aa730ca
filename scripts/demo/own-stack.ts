import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { serviceNames, services } from '@bursar/contracts/services'
import { knownSettings } from '../stack/warnings'

const root = dirname(dirname(import.meta.dir))
const ready = 'Bursar is ready'

type Settings = Record<string, string>

/** A stack for the demo alone, and the settings that it runs with. */
export interface OwnStack extends AsyncDisposable {
  env: Settings
}

/**
 * Starts all services on free ports, in a new folder, with the settings that the story needs; those of this machine's own
 * stack are left out. Throws with what it wrote when it does not come up. It goes away with its folder.
 */
export async function startOwnStack(env: Readonly<Record<string, string | undefined>>): Promise<OwnStack> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-demo-'))
  const own: Settings = { ...foreign(env), ...(await placesIn(folder)), ...storySettings() }
  const command = [process.execPath, '--no-env-file', 'scripts/run-stack.ts', '--all-in-one', '--no-restart']
  const child = Bun.spawn(command, { cwd: root, env: own, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
    rmSync(folder, { recursive: true, force: true })
  }
  const output = Promise.withResolvers<string>()
  let said = ''
  const read = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      said += decoder.decode(chunk, { stream: true })
      if (said.includes(ready)) output.resolve(said)
    }
  }
  void Promise.all([read(child.stdout), read(child.stderr)]).then(() => output.resolve(said))
  await output.promise
  if (!said.includes(ready)) {
    await stop()
    throw new Error(`The demo's own stack did not start:\n${said}`)
  }
  return { env: own, [Symbol.asyncDispose]: stop }
}

/** What of the environment is none of Bursar's settings. */
function foreign(env: Readonly<Record<string, string | undefined>>): Settings {
  const known = knownSettings(readFileSync(join(root, '.env.example'), 'utf8'))
  const others = Object.entries(env).filter(([name]) => !known.has(name) || name === 'REDIS_SERVER')
  return Object.fromEntries(others.map(([name, value]) => [name, value ?? '']))
}

async function placesIn(folder: string): Promise<Settings> {
  const slugs = serviceNames.map((name) => services[name].slug.toUpperCase())
  const names = [...slugs.map((slug) => `${slug}_PORT`), 'REDIS_PORT']
  const ports = await freePorts(names.length)
  return { DATA_DIR: folder, ...Object.fromEntries(names.map((name, i) => [name, String(ports[i])])) }
}

const storySettings = (): Settings => ({
  NODE_ENV: 'production',
  LOG_LEVEL: 'error',
  ADMIN_EMAIL: 'admin@localhost',
  ADMIN_PASSWORD: randomBytes(18).toString('base64url'),
  OUTBOUND_ALLOW: '127.0.0.1',
})

/** Held all at once, so that no two of them are one. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof createServer>>()
      const server = createServer().once('error', reject)
      server.listen({ host: '127.0.0.1', port: 0 }, () => resolve(server))
      return promise
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
