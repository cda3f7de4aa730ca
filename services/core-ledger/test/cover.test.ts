// A deposit that its chain has taken back after its credit, and does not confirm again: a person says that what is missing
// was replaced.
import { describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { obstacleOf } from '../src/movements/obstacle'
import { transactionById } from '../src/movements/read-transactions'
import { listShortfalls } from '../src/movements/shortfalls'
import { knownCauses } from '../src/reconciliation/causes'
import { bench, credit, deliver, eachWithChain, ledger, open, recorded, reverse } from './deposit-harness'
import { balanceOf, decisionsOf, make, makeAsset, outside, screen, type Tx, withdrawalOf } from './steps'

eachWithChain()

const reason = 'The platform has paid in what is missing'
const day = 24 * 60 * 60 * 1000
const cover = async (id: string, person: string | null = 'ann', body: object = { reason }) =>
  ledger.ask<Tx & { message: string }>('POST', `/transactions/${id}/cover`, body, {
    ...(person === null ? {} : await ledger.as({ kind: 'user', subject: person })),
  })
const reasons = async () => (await listShortfalls(ledger.store.read)).map((each) => each.reason)
const causes = async () => [...(await knownCauses(ledger.store.read)).values()].flat()

/** The deposit that each shortfall names. */
const shown = async () => {
  const { body } = await ledger.ask<{ shortfalls: { depositId: string | null }[] }>('GET', '/books/reconciliation')
  return body.shortfalls.map(({ depositId }) => depositId)
}

/** A deposit that was credited, and that its chain does not have any more. */
async function missing(fields: object = {}): Promise<string> {
  await deliver(fields)
  const id = (await recorded()).at(-1)?.id ?? ''
  await credit(id)
  await reverse(fields)
  return id
}

const takenBack = async (id: string) =>
  (await ledger.ask<{ takenBack?: true }>('GET', `/transactions/${id}`)).body.takenBack

test('a credited deposit says that its chain has taken it back until the chain has it again, or it is covered', async () => {
  await deliver()
  const [{ id } = { id: '' }] = await recorded()
  await reverse()
  // Nothing was credited: nothing is missing.
  expect(await takenBack(id)).toBeUndefined()
  const credited = await missing({ logIndex: 4, amount: '2000000' })
  expect(await takenBack(credited)).toBe(true)
  await deliver({ logIndex: 4, amount: '2000000', confirmedAt: '2026-01-03T00:00:00.000Z' })
  expect(await takenBack(credited)).toBeUndefined()
  await reverse({ logIndex: 4, amount: '2000000', reversedAt: '2026-01-04T00:00:00.000Z' })
  expect(await takenBack(credited)).toBe(true)
  await cover(credited)
  expect(await takenBack(credited)).toBeUndefined()
})

describe('POST /transactions/:id/cover', () => {
  test('ends the shortfall of a credited deposit that its chain has taken back, for good', async () => {
    const id = await missing()
    const withdrawal = await make(ledger, 'withdrawal', withdrawalOf(bench, '1'))
    await screen(ledger, withdrawal.id, true)
    const waits = async () => {
      const { read } = ledger.store
      return (await obstacleOf(read, await transactionById(read, withdrawal.id)))?.reason ?? null
    }
    expect([await waits(), await causes()]).toEqual([
      expect.stringContaining('taken off the chain again'),
      [expect.stringContaining('taken off the chain')],
    ])
    expect(await cover(id)).toMatchObject({ status: 200, body: { id, status: 'COMPLETED' } })
    expect([await waits(), await reasons(), await causes()]).toEqual([null, [], []])
    expect((await decisionsOf(ledger, id)).at(-1)).toEqual(['COVERED', 'ann', reason])
    expect(await balanceOf(ledger, bench)).toEqual(['0.5', '1', '1.5'])
    // It comes back, and goes once more: what was paid in for it is still there.
    await deliver({ confirmedAt: '2026-01-03T00:00:00.000Z' })
    await reverse({ reversedAt: '2026-01-04T00:00:00.000Z' })
    expect(await reasons()).toEqual([])
    expect((await cover(id)).status).toBe(400)
  })

  test('covers that deposit alone', async () => {
    const id = await missing()
    const other = await missing({ logIndex: 4, amount: '2000000' })
    expect(await shown()).toEqual([id])
    await cover(id)
    expect(await reasons()).toEqual([expect.stringMatching(/^2 USD\d+ were credited and taken off/)])
    expect(await shown()).toEqual([other])
    expect(await causes()).toEqual([expect.stringMatching(/^1 credited deposit was taken off the chain, 2/)])
  })

  test('ends no shortfall of another asset of its account', async () => {
    const assetId = await makeAsset(ledger, { address: outside })
    const id = await missing()
    await missing({ contractAddress: outside, logIndex: 4, amount: '2000000' })
    const short = async () =>
      (await listShortfalls(ledger.store.read)).map((each) => [each.assetId, each.reason.split(' ')[0]]).toSorted()
    const [own, other] = [
      [bench.assetId, '1.5'],
      [assetId, '2'],
    ]
    expect(await short()).toEqual([own, other].toSorted())
    await cover(id)
    expect(await short()).toEqual([other])
  })

  test('with four eyes takes two persons', async () => {
    await open({ FOUR_EYES_USD: '1000' })
    const id = await missing()
    expect((await cover(id, null)).status).toBe(403)
    expect(await cover(id)).toMatchObject({ status: 202, body: { proposed: true, approvals: 1, required: 2 } })
    expect(await reasons()).toHaveLength(1)
    expect((await cover(id)).status).toBe(409)
    expect((await cover(id, 'bob')).status).toBe(200)
    expect(await reasons()).toEqual([])
    expect((await decisionsOf(ledger, id)).map(([decision, who]) => [decision, who])).toEqual([
      ['COVER_PROPOSED', 'ann'],
      ['COVERED', 'bob'],
    ])
  })

  test('with four eyes counts no proposal of an earlier reversal: the deposit was on its chain in between', async () => {
    const clock = fixedClock('2026-01-02T12:00:00.000Z')
    await open({ FOUR_EYES_USD: '1000' }, undefined, clock)
    const id = await missing()
    expect((await cover(id)).status).toBe(202)
    await deliver({ confirmedAt: '2026-01-03T00:00:00.000Z' })
    await reverse({ reversedAt: '2026-01-04T00:00:00.000Z' })
    clock.advance(2 * day)
    expect([(await cover(id, 'bob')).status, (await cover(id, 'bob')).status]).toEqual([202, 409])
    expect(await cover(id)).toMatchObject({ status: 200, body: { id } })
  })

  test('with four eyes counts a proposal where the time of the reversal is still to come: a clock was wrong', async () => {
    await open({ FOUR_EYES_USD: '1000' }, undefined, fixedClock('2026-01-01T12:00:00.000Z'))
    const id = await missing()
    expect([(await cover(id)).status, (await cover(id, 'bob')).status]).toEqual([202, 200])
  })

  test('400 for a deposit that is on its chain, or not credited, and without a reason; 404 when there is none', async () => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    const message = `Transaction ${id} is no credited or returned deposit that its chain has taken back, or it is covered`
    expect(await cover(id)).toMatchObject({ status: 400, body: { message } })
    await reverse()
    expect((await cover(id)).status).toBe(400)
    for (const body of [{}, { reason: ' ' }]) expect((await cover(id, 'ann', body)).status).toBe(400)
    expect((await cover(Bun.randomUUIDv7())).status).toBe(404)
  })
})
