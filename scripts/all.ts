// Every service in one process, for small machines: bun scripts/all.ts [names]. Like any service it wants a Redis, at
// REDIS_URL; `scripts/start --all-in-one` brings one along.
import { messageOf } from '@bursar/contracts/log'
import { isServiceName, serviceNames } from '@bursar/contracts/services'
import { logSettled, type RunningService } from '@bursar/http'
import { startByName } from './stack/service-modules'

async function startOne(name: string): Promise<RunningService> {
  if (!isServiceName(name)) throw new Error('there is no such service')
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
  await Promise.allSettled(running.map(({ started }) => started.stop()))
  throw new Error(`${names[failed]} could not start: ${messageOf(outcome.reason)}`)
}

try {
  const running = await startAll(process.argv.length > 2 ? process.argv.slice(2) : serviceNames)
  const stop = async () => {
    const outcomes = await Promise.allSettled(running.map(({ started }) => started.stop()))
    for (const outcome of outcomes) if (outcome.status === 'rejected') console.error(outcome.reason)
    await logSettled()
    process.exit(outcomes.every(({ status }) => status === 'fulfilled') ? 0 : 1)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  for (const { name, started } of running) console.log(`${name} ${started.url}`)
  console.log(`${running.length} services ready after ${Math.round(performance.now())} ms`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
