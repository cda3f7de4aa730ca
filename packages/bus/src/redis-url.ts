import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis'

/** A connection to Redis, to the master that Sentinels name, or to all masters of a cluster. Valkey speaks as Redis does. */
export type Connection = Redis | Cluster

interface Place {
  host: string
  port: number
}

/** What a URL of Redis says. */
type Server =
  | { kind: 'one'; url: string }
  | { kind: 'sentinel'; sentinels: Place[]; name: string; options: RedisOptions }
  | { kind: 'cluster'; nodes: Place[]; options: RedisOptions }

/** How the forms differ from each other, beside the options of a single connection. */
interface Forms {
  /** Of a single connection. */
  options: RedisOptions
  /** The pause before a lost cluster, or absent Sentinels, are asked again; null for never. */
  retryStrategy: (attempt: number) => number | null
  lazyConnect?: boolean
  enableOfflineQueue?: boolean
}

const form = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/]*)@)?([^/?#]+)(?:\/([^?#]*))?(?:\?(.*))?$/
const usualPorts = { sentinel: 26_379, cluster: 6379 }

/** For messages: what REDIS_URL may be. */
const redisForms =
  'redis://host:port, redis+sentinel://host:port,host:port/name-of-the-master or redis+cluster://host:port,host:port (rediss… by TLS)'

/**
 * Opens a connection to what a URL names. `redis://` and `rediss://` are one server.
 * `redis+sentinel://user:password@host:port,host:port/name/db` are Sentinels and their name of the master, with the user of the
 * servers; Sentinels with a password of their own: `?sentinelUsername=…&sentinelPassword=…`.
 * `redis+cluster://user:password@host:port,host:port` are some nodes of a cluster. Throws for any other.
 */
export function openRedis(
  url: string,
  { options, retryStrategy, lazyConnect = false, enableOfflineQueue }: Forms,
): Connection {
  const queue = enableOfflineQueue === undefined ? {} : { enableOfflineQueue }
  const server = serverOf(url)
  if (server.kind === 'cluster') {
    const ofCluster: ClusterOptions = {
      clusterRetryStrategy: retryStrategy,
      lazyConnect,
      ...queue,
      redisOptions: { ...options, ...server.options },
    }
    return new Cluster(server.nodes, ofCluster)
  }
  const one: RedisOptions = { ...options, retryStrategy, lazyConnect, ...queue }
  if (server.kind === 'one') return new Redis(server.url, one)
  return new Redis({
    ...one,
    ...server.options,
    sentinels: server.sentinels,
    name: server.name,
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: 1000,
    // Its own detector of failovers ends a connection for good when the news comes while it is being made (ioredis 6.0.0). A
    // Sentinel ends the connections to a former master itself, and that refuses writes:
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
}

/** The connections to each master. */
export const mastersOf = (connection: Connection): Redis[] =>
  isCluster(connection) ? connection.nodes('master') : [connection]

export const isCluster = (connection: Connection): connection is Cluster => connection.isCluster

/** The server for messages, without user and password. */
export const serverName = (url: string): string => url.replace(/^([^/]*\/\/)[^@/]*@/, '$1').replace(/\?.*$/, '')

/** The URL may hold a password: no message quotes it. */
function serverOf(url: string): Server {
  if (/^rediss?:\/\//.test(url)) return { kind: 'one', url }
  const [, scheme, kind, user, places = '', path = '', query = ''] = form.exec(url) ?? []
  if (kind !== 'sentinel' && kind !== 'cluster') throw wrongUrl()
  const tls = scheme === 'rediss' ? { tls: {} } : {}
  const at = places.split(',').map((place) => placeIn(place, usualPorts[kind]))
  const [name = '', db = '0', ...more] = path.split('/')
  if (kind === 'cluster') {
    if (path !== '') throw wrongUrl()
    return { kind, nodes: at, options: { ...tls, ...userIn(user) } }
  }
  if (name === '' || !/^\d{1,4}$/.test(db) || more.length > 0) throw wrongUrl()
  const asked = new URLSearchParams(query)
  const own = { sentinelUsername: asked.get('sentinelUsername'), sentinelPassword: asked.get('sentinelPassword') }
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value))
  const byTls = scheme === 'rediss' ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}
  const options = { ...tls, ...byTls, ...userIn(user), ...given, db: Number(db) }
  return { kind, sentinels: at, name: decodeURIComponent(name), options }
}

function placeIn(text: string, usualPort: number): Place {
  const found = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(text.trim())
  if (!found?.[1]) throw wrongUrl()
  return { host: found[1].replace(/^\[|\]$/g, ''), port: Number(found[2] ?? usualPort) }
}

function userIn(text: string | undefined): Pick<RedisOptions, 'username' | 'password'> {
  if (!text) return {}
  const [username = '', ...password] = text.split(':').map(decodeURIComponent)
  return { ...(username ? { username } : {}), ...(password.length > 0 ? { password: password.join(':') } : {}) }
}

const wrongUrl = () => new Error(`The URL of Redis must be ${redisForms}`)
