import { RedisClient } from 'bun'
import { requirePorts } from '../stack/ports'
import { readPort } from '../stack/procfile'
import { problemWithRedis, redisUrlOf, usualRedisPort, withoutPassword } from '../stack/redis'
import { provideRedisServer } from '../stack/redis-server'
import { type Examination, type Finding, findingsAbout, messageOf, type Patient } from './finding'

const { ok, warning, wrong } = findingsAbout('redis')

/** Whether Redis answers, keeps its data over a restart, and never evicts it for lack of memory. */
export const examineRedis: Examination = async (patient) => {
  const url = redisUrlOf(patient.env, patient.dataDir)
  const problem = await problemWithRedis(url)
  if (problem === null) return await examinePolicy(url)
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

async function examinePolicy(url: string): Promise<Finding[]> {
  const client = new RedisClient(url, { autoReconnect: false, connectionTimeout: 3000 })
  try {
    return judge(String(await client.send('INFO', [])), withoutPassword(url))
  } catch (error) {
    return [wrong(`${withoutPassword(url)} does not tell of itself (${messageOf(error)}): allow this user INFO`)]
  } finally {
    client.close()
  }
}

/** INFO has everything needed; many hosts do not allow CONFIG. */
function judge(info: string, url: string): Finding[] {
  const said = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const found: Finding[] = []
  const policy = said('maxmemory_policy')
  if (policy !== 'noeviction')
    found.push(wrong(`${url} drops events when its memory is full (${policy}): set maxmemory-policy noeviction`))
  if (said('aof_enabled') !== '1')
    found.push(wrong(`${url} forgets events when it restarts: set appendonly yes, and CONFIG REWRITE`))
  else if (said('aof_last_write_status') !== 'ok')
    found.push(wrong(`${url} cannot write its append-only file: look at its log and its disk`))
  const [used, most] = [Number(said('used_memory')), Number(said('maxmemory'))]
  if (most > 0 && used > 0.8 * most)
    found.push(warning(`${url} uses ${Math.round((100 * used) / most)} % of its maxmemory: raise it`))
  return found.length > 0 ? found : [ok(`${url} keeps what it is given`)]
}
