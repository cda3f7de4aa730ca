import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { serviceNames, services } from '@bursar/contracts/services'
import { stopMs } from '@bursar/http/stop-limits'
import { isFree } from '../stack/ports'
import { writeLastWill } from '../stack/process'
import { knownSettings } from '../stack/warnings'

const root = dirname(dirname(import.meta.dir))
const ready = 'Bursar is ready'

/** The services have as long as a stop takes, and Redis after them. */
const longestStopMs = 2 * stopMs

type Settings = Record<string, string>

/** A stack for the demo alone, and the settings that it runs with. */
interface OwnStack extends AsyncDisposable {
  env: Settings
}

/**
 * Starts all services on free ports, in a new folder, with the settings that the story needs; those of this machine's own
 * stack are left out. Throws with what it wrote when it does not come up. It goes away with its folder, and ends with this process,
 * however that ends.
 */
export async function startOwnStack(env: Readonly<Record<string, string | undefined>>): Promise<OwnStack> {
  const folder = mkdtempSync(join(tmpdir(), 'bursar-demo-'))
  const own: Settings = { ...foreign(env), ...(await placesIn(folder)), ...storySettings() }
  const command = [process.execPath, '--no-env-file', 'scripts/run-stack.ts', '--all-in-one', '--no-restart']
  // In a process group of its own: Ctrl-C reaches the demo alone, which stops it in order.
  const child = Bun.spawn(command, {
    cwd: root,
    env: own,
    detached: true,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const will = writeLastWill(longestStopMs)
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
    will.revoke()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void stop().then(() => process.exit(128 + constants.signals[signal])))
  await will.revise([child.pid])
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

/** Below the ports that systems give away by themselves (Linux from 32768, macOS from 49152): they stay free until the start. */
const [firstPort, lastPort] = [10_000, 19_999]

/** Different ports on which nothing listens, from a random one on. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = []
  const width = lastPort - firstPort + 1
  const from = Math.floor(Math.random() * width)
  for (let n = 0; n < width && ports.length < count; n++) {
    const port = firstPort + ((from + n) % width)
    if (await isFree(port)) ports.push(port)
  }
  if (ports.length < count) throw new Error(`There are no ${count} free ports between ${firstPort} and ${lastPort}`)
  return ports
}
