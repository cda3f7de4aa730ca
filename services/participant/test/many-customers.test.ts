// The customers that a participant creates by its key, one by one, have no limit.
import { beforeAll, describe, expect, test } from 'bun:test'
import { AccountCreated } from '@bursar/contracts/account'
import { CustomerCreated } from '@bursar/contracts/customer'
import { getParticipant } from '../src/participants/read-participant'
import { searchOwn } from '../src/search/own-records'
import { account } from './harness'
import { participant, service, withPeers } from './peered-service'
import { epoch } from './peers'

const many = 2500
let id: string
withPeers()
beforeAll(async () => {
  ;({ id } = await participant())
  const at = { createdAt: '2026-01-01T00:00:00.000Z' }
  const say = (event: { name: string; type: string }, data: object) =>
    service.consume({
      id: Bun.randomUUIDv7(),
      name: event.name,
      type: event.type,
      timestamp: at.createdAt,
      requestId: null,
      service: 'other',
      data: { ...data, epoch, version: 1 },
    })
  const unset = { walletAccountId: null, accountExternalId: null, customerName: null }
  for (let i = 0; i < many; i++) {
    const customer = { ...at, id: Bun.randomUUIDv7(), externalId: `person-${i}`, status: 'active' }
    await say(CustomerCreated, { customer, participantId: id })
    if (i % 1000 !== 999) continue
    const own = { ...account({ name: `Of ${i}` }), ...at, ...unset, id: Bun.randomUUIDv7() }
    const held = { ...own, customerId: customer.id, customerExternalId: customer.externalId }
    await say(AccountCreated, { account: held, participantId: null })
  }
})

/** Whether others have a turn before the work is done. */
async function letsOthersIn(work: Promise<unknown>): Promise<boolean> {
  let hadTurn = false
  setImmediate(() => {
    hadTurn = true
  })
  await work
  return hadTurn
}

describe('a participant with thousands of customers', () => {
  test('has them all, in order, each with its accounts', async () => {
    const { body } = await service.get(`/participants/${id}`)
    const expected = Array.from({ length: many }, (_, i) => [`person-${i}`, i % 1000 === 999 ? [`Of ${i}`] : []])
    type Shown = { externalId: string; accounts: { name: string }[] }
    expect(body.customers.map((each: Shown) => [each.externalId, each.accounts.map(({ name }) => name)])).toEqual(
      expected,
    )
    expect((await service.get('/participants?limit=1')).body).toEqual([body])
  })

  test('finds each of them, and their accounts', async () => {
    const headers = await service.asService('gateway')
    const titles = async (q: string) => {
      const { body } = await service.get(`/internal/search?q=${encodeURIComponent(q)}&participantId=${id}`, headers)
      return body.map(({ title }: { title: string }) => title)
    }
    expect(await titles('person-2499')).toEqual(['person-2499'])
    expect(await titles('of 1999')).toEqual(['Of 1999'])
    expect(await titles('1999')).toEqual(['person-1999', 'Of 1999'])
    expect(await titles('person')).toEqual([0, 1, 2, 3, 4].map((i) => `person-${i}`))
  })

  test('is read in parts: other requests are answered in between', async () => {
    const { id: small } = await participant()
    const { deps, store } = service
    // A snapshot waits for commits that are not on the disk yet.
    await store.snapshot(async () => {})
    for (const [each, isInParts] of [
      [small, false],
      [id, true],
    ] as const) {
      expect(await letsOthersIn(getParticipant(store, deps.apiKeys, each))).toBe(isInParts)
      expect(await letsOthersIn(searchOwn(store.read, each, 'nobody'))).toBe(isInParts)
    }
  })
})
