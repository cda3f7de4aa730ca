import { afterAll, beforeAll, expect, test } from 'bun:test'
import { TransactionCreated, TransactionMoved, type TransactionState } from '@bursar/contracts/core-ledger'
import { Value } from '@sinclair/typebox/value'
import { type Ledger, openLedger } from './harness'
import { type Bench, complete, failIt, make, makeBench, outside, screen, withdrawalOf } from './steps'

let ledger: Ledger
let bench: Bench
beforeAll(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger, '10')
})
afterAll(() => ledger.close())

const eventsOf = async (id: string) => {
  const states = (await ledger.events()).map(({ name, data }) => ({ name, data: data as TransactionState }))
  return states.filter(({ data }) => data.id === id)
}
const withdraw = (fields: object = {}) => make(ledger, 'withdrawal', withdrawalOf(bench, '1.50', fields))

test('a new transaction is an event with all fields for other services', async () => {
  const { id, createdAt } = await withdraw({ reference: 'invoice 1' })
  const [created, ...more] = await eventsOf(id)
  expect(more).toEqual([])
  expect(created?.name).toBe('core-ledger.transaction.created')
  expect(Value.Check(TransactionCreated.payload, created?.data)).toBe(true)
  expect(created?.data).toEqual({
    v: 1,
    id,
    type: 'WITHDRAWAL',
    from: null,
    status: 'PENDING',
    reason: null,
    amount: '1.5',
    assetId: bench.assetId,
    assetCode: expect.stringMatching(/^USD\d+$/),
    assetDecimals: 6,
    network: 'ethereum',
    customerId: bench.customerId,
    accountId: bench.accountId,
    toAccountId: null,
    sourceAddress: null,
    destinationAddress: outside,
    txHash: null,
    reference: 'invoice 1',
    participantId: null,
    toParticipantId: null,
    phases: [
      { name: 'created', status: 'COMPLETED', startedAt: createdAt, completedAt: createdAt, detail: null },
      { name: 'screening', status: 'IN_PROGRESS', startedAt: createdAt, completedAt: null, detail: null },
    ] as TransactionState['phases'],
    at: createdAt as string,
  })
})

test('each change of its status is an event, with the status before and the reason', async () => {
  const [frozen, completed, failed] = [(await withdraw()).id, (await withdraw()).id, (await withdraw()).id]
  await screen(ledger, frozen, false, { reason: 'mixer' })
  await ledger.ask('POST', `/transactions/${frozen}/reject-frozen-withdrawal`, { reason: 'x'.repeat(1000) })
  await screen(ledger, completed, true)
  await complete(ledger, completed, '0xabc')
  await screen(ledger, failed, true)
  await failIt(ledger, failed, 'y'.repeat(3000))
  const moves = async (id: string) => {
    const [, ...moved] = await eventsOf(id)
    for (const { name, data } of moved) {
      expect([name, Value.Check(TransactionMoved.payload, data)]).toEqual([TransactionMoved.name, true])
    }
    return moved.map(({ data: { from, status, reason, txHash } }) => [from, status, reason, txHash])
  }
  expect(await moves(frozen)).toEqual([
    ['PENDING', 'FROZEN', 'mixer', null],
    ['FROZEN', 'REJECTED', 'x'.repeat(1000), null],
  ])
  expect(await moves(completed)).toEqual([
    ['PENDING', 'APPROVED', null, null],
    ['APPROVED', 'COMPLETED', null, '0xabc'],
  ])
  expect(await moves(failed)).toEqual([
    ['PENDING', 'APPROVED', null, null],
    ['APPROVED', 'FAILED', 'y'.repeat(2000), null],
  ])
})
