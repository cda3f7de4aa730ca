import { expect, test } from 'bun:test'
import type { EventText } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { fakeTimers } from '@bursar/testing'
import fc from 'fast-check'
import { startRelay } from '../src/index'
import { makeAwaited, makeThing, tempStore, until } from './harness'
import { outboxSize } from './relay-harness'

const keepMs = 10_000
const tuning = { keepMs, batch: 4, spacingMs: 20, retryMs: 100, longestRetryMs: 2000, deliverMs: 2000 }

/** What a broker does with a publish, `half` of its events among them: it takes and says so, or lies. */
type Mood = 'takes' | 'refuses' | 'takes and refuses' | 'takes half and refuses' | 'hangs'

/** A broker that may lie about what it took, and that loses what it took within ten seconds before its connection broke. */
function lyingBroker(now: () => number) {
  const lost: (() => void)[] = []
  const ready: (() => void)[] = []
  const broker = {
    mood: 'takes' as Mood,
    isAway: false,
    attempts: 0,
    /** All that ever arrived. */
    arrived: [] as string[],
    /** What it has still: by id, when it came last. */
    kept: new Map<string, number>(),
    hanging: [] as (() => void)[],
    async publish(events: readonly EventText[]) {
      broker.attempts += 1
      const { mood } = broker
      if (mood === 'hangs') await new Promise<void>((resolve) => broker.hanging.push(resolve))
      if (broker.isAway || mood === 'refuses') throw new Error('away')
      const taken = mood === 'takes half and refuses' ? events.slice(0, events.length / 2) : events
      for (const { id } of taken) {
        broker.arrived.push(id)
        broker.kept.set(id, now())
      }
      if (mood.endsWith('and refuses')) throw new Error('no answer')
    },
    breakOff() {
      if (broker.isAway) return
      broker.isAway = true
      for (const [id, at] of broker.kept) if (at > now() - keepMs) broker.kept.delete(id)
      for (const changed of lost) changed()
    },
    comeBack() {
      if (!broker.isAway) return
      broker.isAway = false
      for (const changed of ready) changed()
    },
    connection: {
      onLost: (changed: () => void) => void lost.push(changed),
      onReconnect: (changed: () => void) => void ready.push(changed),
    },
  }
  return broker
}

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ commit: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 3, arbitrary: fc.record({ deliver: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 5, arbitrary: fc.record({ pass: fc.constantFrom(5, 20, 150, 2500, 9000, 11_000) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      mood: fc.constantFrom<Mood>('takes', 'refuses', 'takes and refuses', 'takes half and refuses', 'hangs'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ connection: fc.constantFrom('breaks', 'is back') }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const turns = async () => {
  for (let n = 0; n < 4; n++) await new Promise<void>((resolve) => setImmediate(resolve))
}

async function run(steps: Step[]) {
  const store = await tempStore()
  const clock = fakeTimers()
  const broker = lyingBroker(clock.now)
  const relay = startRelay(store, { ...broker, log: silentLog, tuning: { ...tuning, clock } })
  const committed: string[] = []
  const delivered: string[] = []
  const takenBack: string[] = []
  const deliveries: Promise<void>[] = []
  let passedMs = 0

  async function pass(ms: number) {
    await turns()
    passedMs += ms
    await clock.advance(ms)
    await turns()
  }
  async function deliver(id: string) {
    const event = await store.commit((tx) => makeAwaited(tx, id))
    const outcome = relay.deliver(event).then(
      () => void delivered.push(event.envelope.id),
      () => void takenBack.push(event.envelope.id),
    )
    deliveries.push(outcome)
  }
  function change(mood: Mood) {
    broker.mood = mood
    for (const answer of broker.hanging.splice(0)) answer()
  }

  let made = 0
  for (const each of steps) {
    if ('commit' in each) {
      const ids = Array.from({ length: each.commit }, () => `t${++made}`)
      for (const { id } of await Promise.all(ids.map((id) => store.commit((tx) => makeThing(tx, id)))))
        committed.push(id)
    } else if ('deliver' in each) {
      await Promise.all(Array.from({ length: each.deliver }, () => deliver(`t${++made}`)))
    } else if ('pass' in each) await pass(each.pass)
    else if ('mood' in each) change(each.mood)
    else if (each.connection === 'breaks') broker.breakOff()
    else broker.comeBack()
    await turns()
  }

  change('takes')
  broker.comeBack()
  await until('the deliveries to end', async () => {
    await pass(100)
    return (await Promise.race([Promise.all(deliveries), turns()])) !== undefined
  })
  await until('the relay to be done', async () => {
    await pass(100)
    return relay.depth() === 0 && (await relay.flush(1000))
  })
  const own = new Set(committed)
  // In the order of their commits, when they arrive for the first time.
  expect([...new Set(broker.arrived)].filter((id) => own.has(id))).toEqual(committed)
  expect([...committed, ...delivered].filter((id) => !broker.kept.has(id))).toEqual([])
  // At most one for each pause, and for each event at its first publish and after each reconnect.
  expect(broker.attempts).toBeLessThanOrEqual(passedMs / tuning.spacingMs + (made + 1) * (steps.length + 2))
  // All is deleted in the end, and nothing that was taken back comes later.
  const before = broker.arrived.length
  await until('the outbox to be empty', async () => {
    await pass(keepMs)
    return (await outboxSize(store)) === 0
  })
  expect(broker.arrived.length).toBe(before)
  await relay.stop()
  await store.close()
  return takenBack
}

test('whatever a broker does: no event is lost, each goes out in order, and the outbox is empty in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => void (await run(steps))),
    { numRuns: 20 },
  )
})
