import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Connection, defaultPrefix, deploymentOf, deploymentsKey, goneAfterSeconds, mastersOf } from '@bursar/bus'
import { messageOf } from '@bursar/contracts/log'
import { openInternalSecret } from '@bursar/http'
import { requirePorts } from '../stack/ports'
import { readPort } from '../stack/procfile'
import { problemWithRedis, redisUrlOf, usualRedisPort, withoutPassword, withRedis } from '../stack/redis'
import { provideRedisServer } from '../stack/redis-server'
import { type Examination, type Finding, findingsAbout, type Patient } from './finding'

const { ok, warning, wrong } = findingsAbout('redis')

/** Whether Redis answers, keeps its data over a restart, never evicts it for lack of memory, and is of this deployment alone. */
export const examineRedis: Examination = async (patient) => {
  const url = redisUrlOf(patient.env, patient.dataDir)
  const problem = await problemWithRedis(url)
  if (problem === null) return await examineRunning(url, patient)
  if (patient.env.REDIS_URL) return [wrong(`${withoutPassword(url)}: ${problem}: start it, or correct REDIS_URL`)]
  return await examineOwn(patient)
}

/** The Redis of scripts/start is not running: whether it could be started. */
async function examineOwn({ env }: Patient): Promise<Finding[]> {
  try {
    const port = readPort(env, 'REDIS_PORT', usualRedisPort)
    await requirePorts([{ name: 'redis', host: '127.0.0.1', port, variable: 'REDIS_PORT' }])
    const server = await provideRedisServer(() => {}, { chosen: env.REDIS_SERVER, ways: [] })
    return [ok(`${server} is started with the stack, on port ${port}`)]
  } catch (error) {
    return [wrong(messageOf(error))]
  }
}

async function examineRunning(url: string, patient: Patient): Promise<Finding[]> {
  const name = withoutPassword(url)
  try {
    return await withRedis(url, async (redis) => {
      const about = await Promise.all(mastersOf(redis).map((master) => master.info()))
      return [...judge(about, name), ...(await examineOthers(redis, patient, name))]
    })
  } catch (error) {
    return [wrong(`${name} does not tell of itself (${messageOf(error)}): allow this user INFO`)]
  }
}

/** Two deployments on one Redis get each other's events, and take them for forged ones. */
async function examineOthers(redis: Connection, { dataDir, env }: Patient, url: string): Promise<Finding[]> {
  const [now] = await redis.time()
  const since = String(Number(now) - goneAfterSeconds)
  const there = await redis.zrangebyscore(deploymentsKey(defaultPrefix), since, '+inf')
  const own = ownNames(dataDir, env.INTERNAL_SECRET)
  if (there.every((name) => own.includes(name))) return []
  return [wrong(`${url} is used by another deployment, too: give each a Redis or a database (redis://…/1) of its own`)]
}

/** How this deployment is named there; by none before its first start. */
function ownNames(dataDir: string, given: string | undefined): string[] {
  if (!given && !existsSync(join(dataDir, 'internal.secret'))) return []
  try {
    return openInternalSecret(dataDir, given).all().map(deploymentOf)
  } catch {
    // What is wrong with it is the finding about keys.
    return []
  }
}

/** INFO has everything needed; many hosts do not allow CONFIG. Several masters of a cluster share one finding. */
function judge(infos: readonly string[], url: string): Finding[] {
  const found = infos.flatMap((info) => problemsIn(info, url))
  const bySentence = new Map(found.map((finding) => [finding.says, finding]))
  return found.length > 0 ? [...bySentence.values()] : [ok(`${url} keeps what it is given`)]
}

function problemsIn(info: string, url: string): Finding[] {
  const said = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const found: Finding[] = []
  const policy = said('maxmemory_policy')
  if (policy !== 'noeviction')
    found.push(wrong(`${url} drops events when its memory is full (${policy}): set maxmemory-policy noeviction`))
  if (said('aof_enabled') !== '1')
    found.push(wrong(`${url} forgets events when it restarts: set appendonly yes, and CONFIG REWRITE`))
  else if (said('aof_last_write_status') !== 'ok')
    found.push(wrong(`${url} cannot write its append-only file: look at its log and its disk`))
  if (said('role') === 'slave')
    found.push(wrong(`${url} is a replica, which takes no events: name its master, or its Sentinels, in REDIS_URL`))
  const [used, most] = [Number(said('used_memory')), Number(said('maxmemory'))]
  if (most > 0 && used > 0.8 * most) {
    const full = used >= most && policy === 'noeviction'
    const says = `${url} uses ${Math.round((100 * used) / most)} % of its maxmemory${full ? ' and takes no events' : ''}: raise it`
    found.push(full ? wrong(says) : warning(says))
  }
  return found
}
