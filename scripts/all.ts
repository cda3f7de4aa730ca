/** `bun run start:all`: services in one process. Also the program of `bun run build`, and what the executable starts. */
import { messageOf } from '@bursar/contracts/log'
import { isServiceName, serviceNames } from '@bursar/contracts/services'
import { type RunningService, runMain, stopTogether } from '@bursar/http'
import { startByName } from './stack/service-modules'

const help = `Usage: bun run start:all [services]

Starts services in one process, for small machines: those that are named, or all. Like any service it wants a Redis, at REDIS_URL;
scripts/start --all-in-one brings one along. Ctrl-C stops them in order.
`

async function startOne(name: string): Promise<RunningService> {
  if (!isServiceName(name)) throw new Error(`There is no service ${name}.`)
  return await startByName(name)
}

/** Starts all of them together. If one fails the others are stopped, and the failure is thrown. */
async function startAll(names: string[]): Promise<{ name: string; started: RunningService }[]> {
  const outcomes = await Promise.allSettled(names.map(startOne))
  const running = outcomes.flatMap((outcome, index) =>
    outcome.status === 'fulfilled' ? [{ name: names[index] ?? '', started: outcome.value }] : [],
  )
  const failed = outcomes.findIndex((outcome) => outcome.status === 'rejected')
  const outcome = outcomes[failed]
  if (outcome?.status !== 'rejected') return running
  await stopTogether(running.map(({ started }) => started))
  throw new Error(`${names[failed]} could not start: ${messageOf(outcome.reason)}`)
}

/** Starts these services, says so, and stops them together. */
async function startSeveral(names: string[]): Promise<Pick<RunningService, 'stop'>> {
  const running = await startAll(names)
  for (const { name, started } of running) console.log(`${name} ${started.url}`)
  console.log(`${running.length} services ready after ${Math.round(performance.now())} ms`)
  return {
    async stop() {
      const errors = await stopTogether(running.map(({ started }) => started))
      for (const error of errors) console.error(error)
      if (errors.length > 0) throw new Error(`${errors.length} services could not stop in order`)
    },
  }
}

const [first, ...others] = process.argv.slice(2)
if (first === '--help' || first === '-h') console.log(help.trimEnd())
// One by itself is as its own main.ts has it.
else if (first && others.length === 0) runMain(() => startOne(first))
else runMain(() => startSeveral(first ? [first, ...others] : serviceNames))
