// Passes over the queues of several senders that end together.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { LeaseLostError } from '@bursar/store'
import { giveBack, senderQueue } from '../src/sends/queue'
import { endPass } from '../src/sends/sending'
import { postponeAll, recordFailed } from '../src/sends/sends'
import { senders, sends } from '../src/sends/sends.table'
import { fresh, newSend, type TestBlockchain, testBlockchain } from './harness'

let own: TestBlockchain
beforeEach(async () => {
  own = await testBlockchain({ workers: false })
})
afterEach(() => own.stop())

test('of many senders: each is due with its own first send, and they share statements', async () => {
  const { store } = own.deps
  const addresses = Array.from({ length: 120 }, () => fresh())
  for (const some of [addresses.slice(0, 60), addresses.slice(60)]) {
    const items = some.map((from) => newSend({ from }))
    await own.internal('POST', '/sends/batch', { items })
  }
  const now = new Date(Date.now() + 1000)
  const claim = () => senderQueue.claim(store, { now, limit: 100, lane: 'ethereum' })
  const claimed = [...(await claim()), ...(await claim())]
  expect(claimed).toHaveLength(addresses.length)
  const minute = (n: number) => new Date(now.getTime() + n * 60_000)
  // More have nothing to do than one statement takes.
  const dueOf = new Map(claimed.map(({ address }, i) => [address, [minute(1), minute(2)][i % 24] ?? null]))
  const rows = await store.read.select().from(sends)
  await store.commit(async (tx) => {
    for (const row of rows) {
      const dueAt = dueOf.get(row.sender) ?? null
      if (dueAt === null) await recordFailed(tx, row, 'It cannot be paid', null, now)
      else await postponeAll(tx, [{ row, dueAt }])
    }
  })
  const before = store.counts()
  await store.commit((tx) => giveBack(tx, claimed))
  expect(store.counts().statements - before.statements).toBeLessThan(20)
  const found = await store.read.select().from(senders)
  expect(new Map(found.map(({ address, dueAt }) => [address, dueAt]))).toEqual(dueOf)
  expect(found.every(({ leasedUntil }) => leasedUntil === null)).toBe(true)
})

test('of passes that end together, one whose lease is lost takes no other with it', async () => {
  const { store } = own.deps
  const items = [fresh(), fresh()].map((from) => newSend({ from }))
  await own.internal('POST', '/sends/batch', { items })
  const now = new Date(Date.now() + 1000)
  const [kept, lost] = await senderQueue.claim(store, { now, limit: 2, lane: 'ethereum' })
  const late = { ...lost, leasedUntil: new Date(0) } as typeof lost
  const all = [kept, late].flatMap((each) => each ?? [])
  const held = (some: typeof all) => store.commit((tx) => senderQueue.assertHeld(tx, some))
  await held(all.slice(0, 1))
  await expect(held(all)).rejects.toThrow(LeaseLostError)
  const outcomes = await Promise.allSettled(all.map((sender) => endPass(store, { sender, begun: [] })))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  const found = await store.read.select().from(senders)
  expect(found.filter(({ leasedUntil }) => leasedUntil === null).map(({ id }) => id)).toEqual([kept?.id ?? ''])
})
