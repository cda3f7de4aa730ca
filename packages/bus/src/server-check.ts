import type { Log } from '@bursar/contracts/log'
import { type Connection, mastersOf } from './redis-url'

const oldest = [6, 2] as const
/** Servers already warned about: one process may contain several services. */
const warned = new Set<string>()

/** Warns, once per server and process, about a Redis that is too old or may evict events. Never rejects. */
export async function checkServer(redis: Connection, server: string, log: Log): Promise<void> {
  try {
    const about = await Promise.all(mastersOf(redis).map((master) => master.info()))
    const complaints = [...new Set(about.flatMap(complaintsAbout))]
    if (complaints.length === 0 || warned.has(server)) return
    warned.add(server)
    log.warn({ server }, `Redis is not set up for events: ${complaints.join('; ')}`)
  } catch {
    // Redis is away again, or its user may not ask.
  }
}

/** The problems of a server, by its INFO. */
export function complaintsAbout(info: string): string[] {
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const complaints: string[] = []
  const version = field('redis_version')
  if (version && isOlder(version)) complaints.push(`version ${version} is older than ${oldest.join('.')}`)
  const policy = field('maxmemory_policy')
  if (policy && policy !== 'noeviction') {
    complaints.push(`maxmemory-policy is ${policy} and must be noeviction, or events get lost`)
  }
  return complaints
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1])
}
