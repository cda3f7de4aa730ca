// Movements that a chain took back after they were booked: nothing is undone, and what is missing is a shortfall.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MovementReversed } from '@bursar/contracts/blockchain'
import { auditAll } from '../src/audit/audit'
import { pullMovements, retryWaiting } from '../src/portfolios/movements.consumer'
import { sealJournal } from '../src/seals/seal-journal'
import { type MovementBench, openMovementBench } from './movement-bench'
import { makeAsset } from './steps'

let it: MovementBench
let { ledger, chain, moved, deliver, balance, shortfall, entries, waiting } = {} as MovementBench
beforeEach(async () => {
  it = await openMovementBench()
  ;({ ledger, chain, moved, deliver, balance, shortfall, entries, waiting } = it)
})
afterEach(() => it.close())

const at = (minute: number) => `2026-03-01T11:${String(minute).padStart(2, '0')}:00.000Z`
const reverse = (movement: ReturnType<typeof moved>, minute: number) =>
  deliver({ ...movement, reversedAt: at(minute) }, MovementReversed)
const alarms = async () =>
  (await ledger.events()).filter(({ data }) => {
    const { metadata } = data as { metadata?: { message?: string } }
    return metadata?.message === 'A movement was taken off its chain'
  })

test('an incoming one stays posted and opens a shortfall, logged once, until it is confirmed again', async () => {
  const came = moved('in', '5000000', { confirmedAt: at(10) })
  await deliver(came)
  expect(await shortfall()).toBeNull()
  await reverse(came, 20)
  await reverse({ ...came, id: Bun.randomUUIDv7() }, 20)
  expect(await balance()).toEqual(['105', '0', '105'])
  expect(await shortfall()).toMatch(/^5 \w+ came to account .* and were taken off ethereum again \(transaction 0x/)
  expect(await alarms()).toHaveLength(1)
  // The first event once more, late.
  await deliver(came)
  expect(await shortfall()).not.toBeNull()
  await deliver({ ...came, confirmedAt: at(30) })
  expect(await shortfall()).toBeNull()
  expect(await balance()).toEqual(['105', '0', '105'])
  expect(await entries()).toHaveLength(1)
  await reverse(came, 40)
  expect(await shortfall()).not.toBeNull()
})

test('a reversal that arrives after the new confirmation: it is on its chain', async () => {
  const came = moved('in', '5000000', { confirmedAt: at(10) })
  await deliver(came)
  await deliver({ ...came, confirmedAt: at(30) })
  await reverse(came, 20)
  expect(await shortfall()).toBeNull()
  expect(await alarms()).toEqual([])
})

test('several are missing together; each that is confirmed again is no longer missing', async () => {
  const [one, two] = [moved('in', '5000000', { confirmedAt: at(10) }), moved('in', '2000000', { confirmedAt: at(11) })]
  for (const each of [one, two]) await deliver(each)
  for (const each of [one, two]) await reverse(each, 20)
  expect(await shortfall()).toMatch(/^7 /)
  await deliver({ ...one, confirmedAt: at(30) })
  expect(await shortfall()).toMatch(/^2 /)
})

test('whose event was lost is fetched, and so is its new confirmation', async () => {
  const came = moved('in', '5000000', { confirmedAt: at(10) })
  await deliver(came)
  chain.listed = [{ ...came, reversedAt: at(20) }]
  await pullMovements(ledger.deps)
  expect(await shortfall()).not.toBeNull()
  chain.epoch = 8
  chain.listed = [{ ...came, confirmedAt: at(30) }]
  await pullMovements(ledger.deps)
  expect(await shortfall()).toBeNull()
})

test('an outgoing one stays posted, and is logged: it may be confirmed again', async () => {
  const left = moved('out', '30000000', { confirmedAt: at(10) })
  await deliver(left)
  await reverse(left, 20)
  expect([await balance(), await shortfall()]).toEqual([['70', '0', '70'], null])
  expect(await alarms()).toHaveLength(1)
  await deliver({ ...left, confirmedAt: at(30) })
  expect(await entries()).toHaveLength(1)
})

test('an uncovered outgoing one is no longer missing once its chain has reversed it', async () => {
  const left = moved('out', '130000000', { confirmedAt: at(10) })
  await deliver(left)
  expect(await shortfall()).toMatch(/: 30 \w+ have left/)
  await reverse(left, 20)
  expect(await shortfall()).toBeNull()
  await retryWaiting(ledger.deps)
  expect(await entries()).toHaveLength(1)
  await deliver({ ...left, confirmedAt: at(30) })
  expect(await shortfall()).toMatch(/: 30 \w+ have left/)
})

test('an unposted one is not posted while it is reversed, and is once it is confirmed again', async () => {
  const other = `0x${'7e'.repeat(20)}`
  const came = moved('in', '5000000', { confirmedAt: at(10), contractAddress: other })
  await deliver(came)
  await reverse(came, 20)
  await makeAsset(ledger, { address: other, code: 'OTHER' })
  await retryWaiting(ledger.deps)
  expect(await entries()).toEqual([])
  expect(await waiting()).toEqual(['Its chain has taken it back'])
  await deliver({ ...came, confirmedAt: at(30) })
  await retryWaiting(ledger.deps)
  expect(await entries()).toHaveLength(1)
})

test('the seal of one that is confirmed again still holds', async () => {
  const came = moved('in', '5000000', { confirmedAt: at(10) })
  await deliver(came)
  await sealJournal(ledger.deps)
  await reverse(came, 20)
  await auditAll(ledger.store)
  await deliver({ ...came, confirmedAt: at(30) })
  await auditAll(ledger.store)
})

test('a reversal of a clock that was ahead is over once the movement is confirmed again', async () => {
  const came = moved('in', '5000000', { confirmedAt: at(10) })
  await deliver(came)
  await deliver({ ...came, reversedAt: '2999-01-01T00:00:00.000Z' }, MovementReversed)
  expect(await shortfall()).not.toBeNull()
  await deliver({ ...came, confirmedAt: at(30) })
  expect(await shortfall()).toBeNull()
})

test('a confirmation of a clock that was ahead hides no reversal', async () => {
  const came = moved('in', '5000000', { confirmedAt: '2999-01-01T00:00:00.000Z' })
  await deliver(came)
  await reverse(came, 20)
  expect(await shortfall()).not.toBeNull()
})
