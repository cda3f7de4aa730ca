// Second stage of scripts/start, when Bun and the dependencies are there: Redis, then every line of the Procfile.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '@bursar/contracts/log'
import { environment } from '@bursar/http/environment'
import { startFailure } from '@bursar/http/start-failure'
import { stopMs } from '@bursar/http/stop-limits'
import { programOf } from './build/program'
import { withAllocator } from './stack/allocator'
import { type FirstPassword, keepFirstPassword } from './stack/first-password'
import { allInOne, groups, inGroups } from './stack/groups'
import { home, isExecutable, root } from './stack/installation'
import { dataDirOf } from './stack/place'
import { requirePorts } from './stack/ports'
import { addressesOf, chooseEntries, type Entry, parseProcfile, quoted } from './stack/procfile'
import { problemWithLife, readyMessage, startMs, untilNull } from './stack/ready'
import { ownRedis, problemWithRedis, withoutPassword } from './stack/redis'
import { configModules } from './stack/service-modules'
import { awaitEarlier, lockStack, requireOwner } from './stack/stack-lock'
import { type End, obeySignals, openStack, type Stack } from './stack/supervise'
import { tellWaiting, watchWaiting } from './stack/waiting'
import { openDoorWarning, settingsFilesIn } from './stack/warnings'

/** For the executable: scripts/start says its own before anything is set up. */
const help = `Usage: scripts/start [options]

Starts all services, and a Redis of its own unless REDIS_URL is set, and says when all of them answer. A process that dies
afterwards is started again, five times a minute at most. Ctrl-C stops everything.

  --only <names>   only these services, separated by commas: --only quote,log-tracker
  --in-groups      four processes instead of one for each service: a quarter less processor time for a payment
  --all-in-one     all services in one process: the least memory
  --no-restart     a process that dies stops everything
  --help           this text
`

// The services write into pipes: only this process knows whether a person reads.
if (process.stdout.isTTY) process.env.LOG_FORMAT ??= 'pretty'

Object.assign(process.env, withAllocator(process.env))

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: 'string', default: '' },
        'all-in-one': { type: 'boolean', default: false },
        'in-groups': { type: 'boolean', default: false },
        'no-restart': { type: 'boolean', default: false },
        // When scripts/start began, in seconds since 1970: the time to be ready includes the set-up.
        since: { type: 'string', default: '' },
        procfile: { type: 'string', default: resolve(root, 'Procfile') },
      },
    })
    if (values['all-in-one'] && values['in-groups']) throw new Error('--all-in-one and --in-groups exclude each other')
    return values
  } catch (error) {
    throw new Error(`${(error as Error).message}; scripts/start --help lists the options.`)
  }
}

/** Beside the services' own output; console.error would print it in red. */
const tell = (sentence: string) => process.stderr.write(`${sentence}\n`)

/** What the command line asks for. */
interface Plan {
  /** The lines to start. */
  entries: Entry[]
  /** The services expected to answer. */
  names: string[]
  restart: boolean
  startedAtMs: number
}

async function readPlan(): Promise<Plan> {
  const values = readOptions()
  const command = commandOfServices()
  const lines = isExecutable ? ownLines(command) : parseProcfile(await Bun.file(values.procfile).text())
  const chosen = chooseEntries(lines, values.only.split(',').filter(Boolean))
  const shared = values['all-in-one'] ? allInOne : values['in-groups'] ? groups : {}
  // A line of a Procfile that starts a service in another way, with settings or elsewhere, is carried out as it is.
  const usual = chosen.filter((entry) => isExecutable || isUsual(entry)).map(({ name }) => name)
  return {
    entries: inGroups(
      chosen.map((entry) => (usual.includes(entry.name) ? { ...entry, command: command([entry.name]) } : entry)),
      Object.fromEntries(
        Object.entries(shared).map(([name, some]) => [name, some.filter((one) => usual.includes(one))]),
      ),
      command,
    ),
    names: chosen.map((entry) => entry.name),
    restart: !values['no-restart'],
    startedAtMs: Number(values.since) * 1000 || performance.timeOrigin,
  }
}

type CommandOf = (names: readonly string[]) => string

/**
 * How services run in one process: the executable runs itself; the program of `bun run build` where it is made of just these
 * sources, else the sources.
 */
function commandOfServices(): CommandOf {
  if (isExecutable) return (names) => `exec ${quoted(process.execPath)} service ${names.join(' ')}`
  // It is for production: what that leaves out, response checks for one, is not in it.
  const program = process.env.NODE_ENV === 'production' ? programOf(root) : null
  if (program) return (names) => `exec ${program} ${names.join(' ')}`
  return (names) => (names.length === 1 ? sourcesOf(names[0]) : `exec bun scripts/all.ts ${names.join(' ')}`)
}

const sourcesOf = (name = ''): string => `exec bun services/${name}/src/main.ts`

const ownLines = (command: CommandOf): Entry[] =>
  Object.keys(configModules).map((name) => ({ name, command: command([name]) }))

const isUsual = ({ name, command }: Entry): boolean => command === sourcesOf(name)

/** Warns of unknown settings. */
async function warn(): Promise<void> {
  for (const sentence of await settingsFilesIn(home)) tell(sentence)
  const open = openDoorWarning(process.env)
  if (open) tell(open)
}

/** Checks REDIS_URL when it is set, else answers the line that starts a Redis of ours. */
async function chooseRedis(): Promise<Entry[]> {
  const url = environment().REDIS_URL
  if (!url) return [await ownRedis(dataDirOf(), (sentence) => tell(`set-up: ${sentence}`))]
  const problem = await problemWithRedis(url)
  if (problem) throw new Error(`REDIS_URL is ${withoutPassword(url)}, but ${problem}: start it, or correct REDIS_URL.`)
  return []
}

async function bringUp(stack: Stack, redis: Entry[], plan: Plan, first: FirstPassword): Promise<void> {
  const { entries, names, restart, startedAtMs } = plan
  const addresses = addressesOf(names, process.env)
  const redisUrl = environment().REDIS_URL ?? ''
  await stack.start(redis)
  await untilNull(async () => (await problemWithRedis(redisUrl)) && 'Redis does not answer', startMs, stack.ending)
  await stack.start(entries)
  await Promise.all(addresses.map((one) => untilNull(() => problemWithLife(one), startMs, stack.ending)))
  if (restart) stack.keepRunning()
  const tookMs = Date.now() - startedAtMs
  const waits = watchWaiting(addresses)
  const waiting = await waits.look()
  const about = { addresses, redisUrl: withoutPassword(redisUrl), tookMs, waiting }
  console.log(readyMessage({ ...about, firstPassword: first.take() }))
  void tellWaiting(waits, tell, stack.ending)
}

async function runStack(): Promise<End> {
  const plan = await readPlan()
  await warn()
  requireOwner(dataDirOf())
  // Before the ports: the message should name the folder that another stack uses, not a port.
  lockStack(dataDirOf(), { withRedis: !environment().REDIS_URL, restarts: plan.restart })
  await awaitEarlier(dataDirOf(), tell)
  await requirePorts(addressesOf(plan.names, process.env))
  const redis = await chooseRedis()
  const labels = [...redis, ...plan.entries].map((entry) => entry.name)
  const first = keepFirstPassword()
  const stack = openStack({
    cwd: home,
    names: labels,
    graceMs: stopMs,
    restarts: plan.restart,
    say: tell,
    sift: first.sift,
  })
  obeySignals(stack)
  bringUp(stack, redis, plan, first).catch((error: Error) => stack.finish({ sentence: error.message, failed: true }))
  const end = await stack.end
  tell(`${end.sentence}; the stack stops.`)
  await stack.stop()
  // The start failed, but the administrator exists, and nothing shows the password again.
  for (const line of first.take()) tell(line)
  return end
}

if (['--help', '-h'].some((word) => process.argv.includes(word))) {
  console.log(help.trimEnd())
  process.exit(0)
}
try {
  const end = await runStack()
  process.exit(end.failed ? 1 : 0)
} catch (error) {
  console.error(messageOf(startFailure(error, dataDirOf())))
  process.exit(1)
}
