import { hkdfSync } from 'node:crypto'
import type { Secrets } from '@bursar/contracts/secrets'
import type { Connection } from './redis-url'

/** Each deployment on a Redis, with the second in which a service of it was there last. */
export const deploymentsKey = (prefix: string): string => `${prefix}:deployments`

/** Services say that they are there this often. */
const everyMs = 60_000
/** A deployment that has said nothing for so long has gone. */
export const goneAfterSeconds = 180

/** Names a deployment without saying anything of its secret. */
export const deploymentOf = (secret: Uint8Array): string =>
  Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), 'bursar/deployment/v1', 8)).toString('hex')

/** Notes that the deployment is there, by Redis' clock. Answers the others that are. */
async function note(redis: Connection, prefix: string, secrets: Secrets): Promise<string[]> {
  const [own = ''] = namesOf(secrets)
  const [now] = await redis.time()
  const seconds = Number(now)
  const key = deploymentsKey(prefix)
  await redis.zadd(key, seconds, own)
  await redis.zremrangebyscore(key, 0, seconds - goneAfterSeconds)
  const all = await redis.zrange(key, '0', '-1')
  const others = () => {
    const names = namesOf(secrets)
    return all.filter((name) => !names.includes(name))
  }
  // A service that already uses the next secret has another name.
  return others().length > 0 && secrets.refresh() ? others() : others()
}

const namesOf = (secrets: Secrets): string[] => secrets.all().map(deploymentOf)

/**
 * Says each minute that the deployment uses this Redis. `found` hears of others that do as well: each would take the other's
 * events for forged ones. Returns how to stop.
 */
export function announceDeployment(
  redis: Connection,
  { prefix, secrets, found }: { prefix: string; secrets: Secrets; found: (others: string[]) => void },
): () => void {
  const tell = () => {
    if (redis.status !== 'ready') return
    note(redis, prefix, secrets).then(
      (others) => {
        if (others.length > 0) found(others)
      },
      // Redis is away again; the health says so.
      () => {},
    )
  }
  redis.on('ready', tell)
  const timer = setInterval(tell, everyMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    redis.off('ready', tell)
  }
}
