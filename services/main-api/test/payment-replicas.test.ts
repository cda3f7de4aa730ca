import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PaymentRecord } from '@bursar/contracts/transaction-manager'
import { reconcile } from '@bursar/http'
import { localServer } from '@bursar/testing'
import { paymentReplicas } from '../src/payments/payments'
import { newBankWithParticipant } from './bank-records'
import { openService, type TestMainApi } from './harness'
import { announce, epoch, party, payment, paymentEvent } from './payment-events'

let service: TestMainApi
let owned: { version: number; record: PaymentRecord }[] = []
let ownersEpoch = epoch
let asked: string[] = []
/** The transaction manager, as far as its changes go: at most two to a page. */
const owner = localServer((request) => {
  const { pathname, search, searchParams } = new URL(request.url)
  if (pathname !== '/internal/payments/changes') return new Response(null, { status: 404 })
  asked.push(search)
  const after = owned.filter(({ version }) => version > Number(searchParams.get('after')))
  return Response.json({ epoch: ownersEpoch, items: after.slice(0, 2), more: after.length > 2 })
})
beforeAll(async () => {
  service = await openService({ urls: { 'transaction-manager': owner.url } })
})
afterAll(async () => {
  await service.close()
  await owner.stop()
})

const pull = () => reconcile(service.deps, paymentReplicas)
const shown = async (headers: Record<string, string>) =>
  (await service.get('/custodian-bank/transactions?sortDirection=ASC', headers)).body.data.map(
    ({ id, status }: PaymentRecord) => [id, status],
  )
const total = async (headers: Record<string, string>) =>
  (await service.get('/custodian-bank/balance', headers)).body.map((each: { total: string }) => each.total)

describe('events about payments', () => {
  test('in any order and doubled: the highest version counts, in the list and in the balance', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const record = payment({ to: party(custodianId), status: 'PENDING' })
    const order = ['PENDING', 'APPROVED', 'PROCESSING', 'COMPLETED'] as const
    const ids = new Map(order.map((status) => [status, Bun.randomUUIDv7()]))
    for (const status of ['APPROVED', 'COMPLETED', 'COMPLETED', 'PENDING', 'PROCESSING', 'APPROVED'] as const) {
      const mark = { epoch: ownersEpoch, version: 10_000 + order.indexOf(status), id: ids.get(status) }
      await service.consume(paymentEvent({ ...record, status }, mark))
    }
    expect(await shown(asCustodian)).toEqual([[record.id, 'COMPLETED']])
    expect(await total(asCustodian)).toEqual(['100'])
  })

  test('of an epoch before the last pull change nothing', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const record = payment({ to: party(custodianId) })
    ownersEpoch += 5
    owned = [{ version: 1, record }]
    await pull()
    await service.consume(paymentEvent({ ...record, status: 'FAILED' }, { epoch: ownersEpoch - 1, version: 99_999 }))
    await service.consume(
      paymentEvent(payment({ to: party(custodianId) }), { epoch: ownersEpoch - 1, version: 99_999 }),
    )
    expect(await shown(asCustodian)).toEqual([[record.id, 'COMPLETED']])
  })
})

describe('reconciliation', () => {
  test('fetches what no event brought, page by page', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const records = Array.from({ length: 5 }, () => payment({ to: party(custodianId) }))
    ownersEpoch += 1
    owned = records.map((record, i) => ({ version: i + 1, record }))
    expect(await pull()).toBe(5)
    expect(await shown(asCustodian)).toEqual(records.map(({ id }) => [id, 'COMPLETED']))
    expect(await total(asCustodian)).toEqual(['500'])
  })

  test('takes over the owner’s records, and drops those that the owner does not have', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const [kept, lost] = [payment({ to: party(custodianId) }), payment({ to: party(custodianId) })]
    ownersEpoch += 1
    for (const [i, record] of [kept, lost].entries()) {
      await service.consume(paymentEvent(record, { epoch: ownersEpoch, version: 50 + i }))
    }
    expect(await total(asCustodian)).toEqual(['200'])
    // The owner was restored from a backup, in which one payment is younger and the other is not yet made.
    ownersEpoch += 1
    owned = [{ version: 7, record: { ...kept, status: 'PROCESSING' } }]
    await pull()
    expect(await shown(asCustodian)).toEqual([[kept.id, 'PROCESSING']])
    expect(await total(asCustodian)).toEqual(['0'])
  })

  test('continues where it ended', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const [first, second] = [payment({ to: party(custodianId) }), payment({ to: party(custodianId) })]
    ownersEpoch += 1
    owned = [{ version: 1000, record: first }]
    await pull()
    owned.push({ version: 1001, record: second })
    asked = []
    await pull()
    expect(asked).toEqual(['?after=1000'])
    expect(await shown(asCustodian)).toEqual([first, second].map(({ id }) => [id, 'COMPLETED']))
  })

  test('an owner that is unavailable changes nothing', async () => {
    const alone = await openService()
    const { custodianId, asCustodian } = await newBankWithParticipant(alone)
    const [record] = await announce(alone, payment({ to: party(custodianId) }))
    await expect(reconcile(alone.deps, paymentReplicas)).rejects.toThrow('cannot be reached')
    const { body } = await alone.get('/custodian-bank/transactions', asCustodian)
    expect(body.data).toMatchObject([{ id: record.id }])
    await alone.close()
  })
})
