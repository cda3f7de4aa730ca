// A withdrawal that was approved, and frozen again before it was signed, is reviewed as if nobody had approved it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Approved, approveFrozen } from '../src/approvals/review'
import { freezeAgain } from '../src/withdrawals/rescreening'
import { type Ledger, openLedger } from './harness'
import { getTransaction, make, makeBench, screen, withdrawalOf } from './steps'

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

const approve = (id: string, person: string): Promise<Approved> =>
  ledger.store.commit((tx) => {
    const actor = { kind: 'user', id: person } as const
    return approveFrozen(tx, id, 'withdrawal', { actor, persons: 'two' }, new Date())
  })

test('where it takes two persons it takes two once more: a proposal of before does not count', async () => {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(await makeBench(ledger), '40'))
  await screen(ledger, id, false)
  expect((await approve(id, 'anna')).isProposed).toBe(true)
  expect((await approve(id, 'boris')).transaction.status).toBe('APPROVED')
  const refusal = { reason: 'It is listed by now', listedAt: new Date() }
  await ledger.store.commit((tx) => freezeAgain(tx, id, refusal, new Date()))
  expect((await approve(id, 'carla')).isProposed).toBe(true)
  await expect(approve(id, 'carla')).rejects.toMatchObject({ code: 'SAME_PERSON' })
  expect((await approve(id, 'anna')).transaction.status).toBe('APPROVED')
})

test('what a listing has frozen, and a person has approved, a question from before that freezes no more; a later listing does', async () => {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(await makeBench(ledger), '40'))
  await screen(ledger, id, true)
  const now = Date.now()
  const freeze = (listedAt: number) =>
    ledger.store.commit((tx) => freezeAgain(tx, id, { reason: 'Listed', listedAt: new Date(listedAt) }, new Date()))
  expect(await freeze(now - 2)).toBe(true)
  await approve(id, 'anna')
  await approve(id, 'boris')
  // Asked about the same list at the same time, and answered late.
  expect([await freeze(now - 2), (await getTransaction(ledger, id)).status]).toEqual([false, 'APPROVED'])
  expect([await freeze(now - 1), (await getTransaction(ledger, id)).status]).toEqual([true, 'FROZEN'])
})
