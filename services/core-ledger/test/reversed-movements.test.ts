// Movements that a chain took back after they were booked: nothing is undone, and what is missing is a shortfall.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MovementReversed } from '@bursar/contracts/blockchain'
import { auditAll } from '../src/audit/audit'
import { decisionsOf } from '../src/decisions/decisions'
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
  await reverse(came, 25)
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

const reason = 'The platform has paid in what is missing'
const cover = async (movement: string, person = 'ann', accountId = it.bench.accountId, why: object = { reason }) =>
  ledger.ask<{ message: string }>(
    'POST',
    `/balances/account/${accountId}/movements/cover`,
    { movement, ...why },
    {
      ...(await ledger.as({ kind: 'user', subject: person })),
    },
  )
const listed = async () => {
  const path = `/balances/account/${it.bench.accountId}/movements`
  return (await ledger.ask<{ id: string; takenBack?: true }[]>('GET', path)).body
}

test('an incoming one is covered by a person: its part of the shortfall is over for good, and nothing is booked', async () => {
  const [one, two] = [moved('in', '5000000', { confirmedAt: at(10) }), moved('in', '2000000', { confirmedAt: at(11) })]
  for (const each of [one, two]) await deliver(each)
  const ids = (await listed()).map(({ id }) => id)
  const [first = '', second = ''] = ids
  expect((await cover(first)).status).toBe(400)
  for (const each of [one, two]) await reverse(each, 20)
  expect((await listed()).map(({ takenBack }) => takenBack)).toEqual([true, true])
  expect(await cover(first)).toMatchObject({ status: 200, body: { id: first, amount: '5' } })
  expect(await shortfall()).toMatch(/^2 /)
  expect((await listed()).map(({ takenBack }) => takenBack)).toEqual([undefined, true])
  expect(
    (await decisionsOf(ledger.store.read, first)).map(({ decision, actorId, note }) => [decision, actorId, note]),
  ).toEqual([['COVERED', 'ann', reason]])
  expect((await cover(first)).body.message).toBe(
    `Movement ${first} did not come in, is not booked, or is on its chain; or it is covered`,
  )
  expect((await cover(second)).status).toBe(200)
  // What was paid in stays, whatever its chain says later.
  await deliver({ ...one, confirmedAt: at(30) })
  await reverse(one, 40)
  expect([await shortfall(), await balance(), (await entries()).length]).toEqual([null, ['107', '0', '107'], 2])
})

test('400 for the cover of one that went out or without a reason, 404 for one of another account', async () => {
  const [came, left] = [moved('in', '5000000', { confirmedAt: at(10) }), moved('out', '1', { confirmedAt: at(11) })]
  for (const each of [came, left]) await deliver(each)
  for (const each of [came, left]) await reverse(each, 20)
  const [first, second] = (await listed()).map(({ id }) => id)
  expect((await cover(second ?? '')).status).toBe(400)
  expect((await cover(first ?? '', 'ann', it.bench.accountId, { reason: ' ' })).status).toBe(400)
  expect((await cover(first ?? '', 'ann', (await ledger.account()).id)).status).toBe(404)
  expect((await cover('ethereum 0x in:1')).status).toBe(404)
  expect(await shortfall()).not.toBeNull()
})

test('with four eyes a cover takes two persons', async () => {
  await it.close()
  it = await openMovementBench({ FOUR_EYES_USD: '1' })
  ;({ ledger, chain, moved, deliver, balance, shortfall, entries, waiting } = it)
  const came = moved('in', '5000000', { confirmedAt: at(10) })
  await deliver(came)
  await reverse(came, 20)
  const [{ id } = { id: '' }] = await listed()
  expect(await cover(id)).toMatchObject({ status: 202, body: { proposed: true, approvals: 1, required: 2 } })
  expect((await cover(id)).status).toBe(409)
  expect(await shortfall()).not.toBeNull()
  expect((await cover(id, 'bob')).status).toBe(200)
  expect(await shortfall()).toBeNull()
})

test('with four eyes a proposal to cover an earlier reversal counts no more: it was on its chain in between', async () => {
  await it.close()
  it = await openMovementBench({ FOUR_EYES_USD: '1' })
  ;({ ledger, chain, moved, deliver, balance, shortfall, entries, waiting } = it)
  const came = moved('in', '5000000', { confirmedAt: at(10) })
  await deliver(came)
  await reverse(came, 20)
  const [{ id } = { id: '' }] = await listed()
  it.clock.now = new Date(at(25))
  expect((await cover(id)).status).toBe(202)
  await deliver({ ...came, confirmedAt: at(30) })
  await reverse(came, 40)
  it.clock.now = new Date(at(45))
  expect([(await cover(id, 'bob')).status, (await cover(id)).status]).toEqual([202, 200])
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
