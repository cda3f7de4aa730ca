import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { waitingEvents } from '@bursar/bus'
import type { Envelope } from '@bursar/contracts/event'
import { type Environment, openInternalSecret } from '@bursar/http'
import { launch, writeLastWill } from '../stack/process'
import { startMs, untilNull } from '../stack/ready'
import { ownRedis, problemWithRedis, redisUrlOf, withoutPassword } from '../stack/redis'

const stopMs = 20_000

/** The events that wait in the Redis of the stack. Throws a sentence where there is none. */
export async function eventsInRedis(
  dataDir: string,
  env: Environment,
  say: (line: string) => void,
): Promise<readonly Envelope[]> {
  const secret = openInternalSecret(dataDir, env.INTERNAL_SECRET || undefined)
  if (env.REDIS_URL) return await read(env.REDIS_URL)
  if (!existsSync(join(dataDir, 'redis')))
    throw new Error('No Redis is known: set REDIS_URL, or give --without-redis: events that wait there are then lost.')
  const { command } = await ownRedis(dataDir, say)
  const server = launch(command, { cwd: dataDir, out: () => {}, err: () => {} })
  // It has a process group of its own, which neither Ctrl-C nor the end of this process reaches.
  const will = writeLastWill(stopMs)
  try {
    await will.revise([server.pid])
    server.begin()
    const url = redisUrlOf({ ...env, REDIS_URL: undefined }, dataDir)
    await untilNull(() => problemWithRedis(url), startMs, new AbortController().signal)
    return await read(url)
  } finally {
    await server.stop(stopMs)
    will.revoke()
  }

  async function read(url: string): Promise<readonly Envelope[]> {
    const problem = await problemWithRedis(url)
    if (problem)
      throw new Error(
        `${withoutPassword(url)}: ${problem}. Start it, correct REDIS_URL, or give --without-redis: events that wait there are then lost.`,
      )
    return await waitingEvents({ url, secret })
  }
}
