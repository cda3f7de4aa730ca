/** `bun run dev <service>`: one service that restarts with every change, with response checks and a readable log. */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { environment } from '@bursar/http/environment'
import { runCommand } from './stack/command'
import { dataDirOf } from './stack/place'
import { requirePorts } from './stack/ports'
import { addressesOf, type Entry } from './stack/procfile'
import { ownRedis, problemWithRedis, redisUrlOf } from './stack/redis'
import { lockRedisFolder } from './stack/stack-lock'
import { obeySignals, openStack } from './stack/supervise'

const help = `Usage: bun run dev <service>

Runs one service and restarts it whenever one of its files changes. Answers are checked by their schemas, which production
leaves out; the log is readable text. Where REDIS_URL is unset and no Redis answers at REDIS_PORT it starts one. Use one terminal
per service. Ctrl-C stops it.
`

const root = dirname(import.meta.dir)
const say = (sentence: string) => process.stderr.write(`${sentence}\n`)

/** The service that the command line names. Throws if there is none. */
function chosenService([name, ...others]: string[]): ServiceName {
  const built = readdirSync(join(root, 'services'))
    .filter((each) => existsSync(join(root, 'services', each, 'src/main.ts')))
    .sort()
  if (name && others.length === 0 && built.includes(name)) return name as ServiceName
  throw new Error(`Name one service: bun run dev ${built.join(' | ')}`)
}

/** The line that starts a Redis; none when one answers. */
async function neededRedis(): Promise<Entry[]> {
  const dataDir = dataDirOf()
  const url = redisUrlOf(environment(), dataDir)
  const problem = await problemWithRedis(url)
  if (problem && environment().REDIS_URL) throw new Error(`REDIS_URL is set, but ${problem}.`)
  process.env.REDIS_URL = url
  if (!problem) return []
  lockRedisFolder(dataDir)
  return [await ownRedis(dataDir, say)]
}

await runCommand({ name: 'dev', help, takesWords: true }, async (_, words) => {
  const name = chosenService(words)
  process.env.NODE_ENV = 'development'
  process.env.LOG_FORMAT ??= 'pretty'
  const addresses = addressesOf([name], process.env)
  await requirePorts(addresses)
  const redis = await neededRedis()
  const entry = { name, command: `exec bun --watch --no-clear-screen services/${name}/src/main.ts` }
  const stack = openStack({ cwd: root, names: [...redis, entry].map((each) => each.name), graceMs: 5000, say })
  obeySignals(stack)
  await stack.start(redis)
  await stack.start([entry])
  say(`${name} at ${addresses[0]?.url}, documentation at ${addresses[0]?.url}/swagger. Ctrl-C stops it.`)
  const end = await stack.end
  say(end.sentence)
  await stack.stop()
  process.exitCode = end.failed ? 1 : 0
})
process.exit()
