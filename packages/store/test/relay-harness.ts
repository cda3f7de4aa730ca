import type { Envelope, EventText } from '@bursar/contracts/event'
import { type Log, silentLog } from '@bursar/contracts/log'
import { asc } from 'drizzle-orm'
import { type OpenStore, type RelayOptions, type RelayTuning, startRelay } from '../src/index'
import { outbox } from '../src/schema'
import { afterTest, makeThing, thingsOf } from './harness'

/** A broker that notes what it takes, can be away, can take its time, and can lose the connection. */
export function fakeBroker() {
  const lost: (() => void)[] = []
  const reconnected: (() => void)[] = []
  const broker = {
    away: false,
    held: null as Promise<void> | null,
    taken: [] as Envelope[],
    sizes: [] as number[],
    attempts: 0,
    mostAtOnce: 0,
    async publish(events: readonly EventText[]) {
      broker.attempts += 1
      atOnce += 1
      broker.mostAtOnce = Math.max(broker.mostAtOnce, atOnce)
      await (broker.held ?? Promise.resolve())
      atOnce -= 1
      if (broker.away) throw new Error('no broker')
      broker.taken.push(...events.map(({ text }) => JSON.parse(text) as Envelope))
      broker.sizes.push(events.length)
    },
    things: () => thingsOf(broker.taken),
    connection: {
      onLost: (changed: () => void) => void lost.push(changed),
      onReconnect: (changed: () => void) => void reconnected.push(changed),
    },
    lose() {
      broker.away = true
      for (const changed of lost) changed()
    },
    reconnect() {
      broker.away = false
      for (const changed of reconnected) changed()
    },
  }
  let atOnce = 0
  return broker
}

export function relayOf(
  store: OpenStore,
  broker: Pick<RelayOptions, 'publish' | 'connection'>,
  tuning: Partial<RelayTuning> = {},
  log: Log = silentLog,
) {
  const relay = startRelay(store, {
    publish: broker.publish,
    connection: broker.connection,
    log,
    tuning: { retryMs: 5, longestRetryMs: 20, ...tuning },
  })
  afterTest(() => relay.stop())
  return relay
}

export const names = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(4, '0')}`)
export const makeAll = (store: OpenStore, ids: string[]) =>
  Promise.all(ids.map((id) => store.commit((tx) => makeThing(tx, id))))
export const outboxSize = async (store: OpenStore) =>
  (await store.read.select().from(outbox).orderBy(asc(outbox.seq))).length
