import type { Log } from '@bursar/contracts/log'
import type { ServiceName } from '@bursar/contracts/services'
import { atMostEvery } from './at-most-every'
import { common, type Publisher, retryStrategy } from './connection'
import { type Connection, openRedis } from './redis-url'
import type { Signer } from './signature'

/**
 * The other instances of this service, on the same database. What they are told saves them a wait and is never the only
 * way to learn something: it is lost while Redis is away.
 */
export interface Siblings {
  /** Tells all of them, within 20 ms; the same thing said several times in between is said once. */
  tell(topic: string, text?: string): void
  /** Calls back with what another instance tells of a topic. */
  on(topic: string, heard: (text: string) => void): void
  /** Calls back when something that was told may have been missed: the connection was broken. */
  onMissed(missed: () => void): void
  close(): Promise<void>
}

/** Of a service that is alone with its database. */
export const noSiblings: Siblings = { tell() {}, on() {}, onMissed() {}, close: async () => {} }

interface Options {
  url: string
  service: ServiceName
  prefix: string
  log: Log
  signer: Signer
  publisher: Publisher
}

/** What is told in one message. */
interface Told {
  /** The instance that tells. */
  from: string
  said: [topic: string, text: string][]
}

const gatherMs = 20
/** What is told while Redis takes nothing is forgotten. */
const mostGathered = 10_000

/** Connects to the channel of a service. Does not wait for Redis. */
export function openSiblings({ url, service, prefix, log, signer, publisher }: Options): Siblings {
  const channel = `${prefix}:told:${service}`
  const from = crypto.randomUUID()
  const listeners = new Map<string, ((text: string) => void)[]>()
  const missedCallbacks: (() => void)[] = []
  const gathered = new Map<string, [topic: string, text: string]>()
  const warn = atMostEvery(log, 'warn')
  let timer: Timer | undefined
  let subscriber: Connection | undefined

  function send() {
    timer = undefined
    const told: Told = { from, said: [...gathered.values()] }
    gathered.clear()
    // Redis is away: its report is the publisher's.
    publisher.redis.publish(channel, JSON.stringify(signer.sign(channel, JSON.stringify([told])))).catch(() => {})
  }

  function hear(message: string) {
    const told = readTold(message, (data) => signer.verify(channel, data))
    if (!told) return warn({}, 'Something on the channel of this service was not said by one of its instances')
    if (told.from === from) return
    for (const [topic, text] of told.said) for (const heard of listeners.get(topic) ?? []) heard(text)
  }

  /** Opened for whoever listens first. */
  function subscribe() {
    const redis = openRedis(url, { options: { ...common, maxRetriesPerRequest: null }, retryStrategy })
    let isBroken = false
    // The publisher's connection reports outages.
    redis.on('error', () => {})
    redis.on('close', () => {
      isBroken = true
    })
    redis.on('ready', () => {
      if (isBroken) for (const missed of missedCallbacks) missed()
      isBroken = false
    })
    redis.on('message', (_channel: string, message: string) => hear(message))
    redis.subscribe(channel).catch(() => {})
    return redis
  }

  return {
    tell(topic, text = '') {
      if (gathered.size >= mostGathered) return
      gathered.set(`${topic}\0${text}`, [topic, text])
      timer ??= setTimeout(send, gatherMs).unref()
    },
    on(topic, heard) {
      subscriber ??= subscribe()
      listeners.set(topic, [...(listeners.get(topic) ?? []), heard])
    },
    onMissed(missed) {
      subscriber ??= subscribe()
      missedCallbacks.push(missed)
    },
    async close() {
      clearTimeout(timer)
      subscriber?.disconnect()
    },
  }
}

/** Null for what no instance of this deployment has signed, and for anything of another form. */
function readTold(message: string, verify: (data: unknown) => unknown[] | null): Told | null {
  try {
    const [told] = (verify(JSON.parse(message)) ?? []) as Partial<Told>[]
    return typeof told?.from === 'string' && Array.isArray(told.said) ? (told as Told) : null
  } catch {
    return null
  }
}
