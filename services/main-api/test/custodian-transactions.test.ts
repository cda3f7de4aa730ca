import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PaymentRecord } from '@bursar/contracts/transaction-manager'
import { paymentReplicas } from '../src/payments/payments'
import { newBankWithParticipant } from './bank-records'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'
import { announce, epoch, party, payment } from './payment-events'

let service: TestMainApi
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

type Headers = Record<string, string>
const ids = async (query: string, headers: Headers): Promise<string[]> => {
  const { status, body } = await service.get(`/custodian-bank/transactions${query}`, headers)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.data.map((each: { id: string }) => each.id)
}
const idsOf = (...records: PaymentRecord[]) => records.map(({ id }) => id)

describe('GET /custodian-bank/transactions', () => {
  test('200 with the payments from and to the bank, newest first, and their total number', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const [here, there] = [party(custodianId), party(nobody)]
    const [deposit, withdrawal, transfer, within, foreign] = await announce(
      service,
      payment({ to: here, description: 'First', transactionHash: '0xab' }),
      payment({ type: 'WITHDRAWAL', from: here }),
      payment({ type: 'TRANSFER', from: there, to: here }),
      payment({ type: 'TRANSFER', from: here, to: party(custodianId) }),
      payment({ to: there }),
    )
    const { status, body } = await service.get('/custodian-bank/transactions', asCustodian)
    expect([status, body.pageInfo]).toEqual([200, { limit: 20, offset: 0, total: 4 }])
    expect(body.data.map((each: { id: string }) => each.id)).toEqual(idsOf(within, transfer, withdrawal, deposit))
    expect(body.data[3]).toEqual({ ...deposit, fromParticipant: null, toParticipant: here.participantId })
    expect(JSON.stringify(body)).not.toContain(foreign.id)
  })

  test('200 in pages that neither overlap nor skip, even if all values are equal', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const at = '2026-11-21T12:00:00.000Z'
    const all = Array.from({ length: 45 }, () => payment({ to: party(custodianId), createdAt: at, updatedAt: at }))
    await announce(service, ...all.toReversed())
    for (const sortBy of ['createdAt', 'updatedAt', 'amount', 'status', 'type']) {
      for (const [sortDirection, expected] of [
        ['ASC', idsOf(...all)],
        ['DESC', idsOf(...all.toReversed())],
      ] as const) {
        const order = `?sortBy=${sortBy}&sortDirection=${sortDirection}`
        const pages = await Promise.all(
          [0, 10, 20, 30, 40, 50].map((offset) => ids(`${order}&limit=10&offset=${offset}`, asCustodian)),
        )
        expect(pages.flat()).toEqual(expected)
      }
    }
    const { body } = await service.get('/custodian-bank/transactions?limit=0', asCustodian)
    expect(body).toEqual({ data: [], pageInfo: { limit: 0, offset: 0, total: 45 } })
    expect(await ids('', asCustodian)).toHaveLength(20)
    expect(await ids('?limit=100&offset=100000', asCustodian)).toEqual([])
  })

  test('200 sorted by amount as numbers', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const amounts = ['9', '10', '0.5', '10.01', '99999999999999999999', '0.000000000000000001', '100']
    await announce(service, ...amounts.map((amount) => payment({ to: party(custodianId), amount })))
    const sorted = async (direction: string) => {
      const query = `?sortBy=amount&sortDirection=${direction}`
      const { body } = await service.get(`/custodian-bank/transactions${query}`, asCustodian)
      return body.data.map((each: { amount: string }) => each.amount)
    }
    const expected = ['0.000000000000000001', '0.5', '9', '10', '10.01', '100', '99999999999999999999']
    expect(await sorted('ASC')).toEqual(expected)
    expect(await sorted('DESC')).toEqual(expected.toReversed())
  })

  test('200 sorted by when they were created and changed', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const to = party(custodianId)
    const [a, b, c] = await announce(
      service,
      payment({ to, createdAt: '2026-11-21T00:00:01.000Z', updatedAt: '2026-11-21T00:00:09.000Z' }),
      payment({ to, createdAt: '2026-11-21T00:00:03.000Z', updatedAt: '2026-11-21T00:00:04.000Z' }),
      payment({ to, createdAt: '2026-11-21T00:00:02.000Z', updatedAt: '2026-11-21T00:00:05.000Z' }),
    )
    expect(await ids('', asCustodian)).toEqual(idsOf(b, c, a))
    expect(await ids('?sortDirection=ASC', asCustodian)).toEqual(idsOf(a, c, b))
    expect(await ids('?sortBy=updatedAt', asCustodian)).toEqual(idsOf(a, c, b))
  })

  describe('filters', () => {
    let headers: Headers
    let pending: PaymentRecord
    let completed: PaymentRecord
    let withdrawal: PaymentRecord
    let failed: PaymentRecord
    beforeAll(async () => {
      const { custodianId, asCustodian } = await newBankWithParticipant(service)
      headers = asCustodian
      const to = party(custodianId, { participantName: 'Östra Banken 100%' })
      ;[pending, completed, withdrawal, failed] = await announce(
        service,
        payment({ to, status: 'PENDING', reference: 'INV-2026_01', description: 'Rent for May' }),
        payment({ to, status: 'COMPLETED', transactionHash: '0xDEADbeef' }),
        payment({ from: to, type: 'WITHDRAWAL', status: 'COMPLETED' }),
        payment({ to, type: 'DO_DEPOSIT', status: 'FAILED' }),
      )
    })

    test.each([
      ['?status=PENDING', () => [pending]],
      ['?status=PENDING&status=FAILED', () => [failed, pending]],
      ['?status=PENDING,FAILED', () => [failed, pending]],
      ['?status[]=PENDING&status[]=FAILED', () => [failed, pending]],
      ['?status%5B%5D=PENDING', () => [pending]],
      ['?status=PENDING&status[]=FAILED', () => [failed, pending]],
      ['?status=PENDING&status=PENDING', () => [pending]],
      ['?status=CANCELLED', () => []],
      ['?type=WITHDRAWAL', () => [withdrawal]],
      ['?type=WITHDRAWAL&type=DO_DEPOSIT', () => [failed, withdrawal]],
      ['?type[]=DEPOSIT&status=COMPLETED', () => [completed]],
      ['?status=COMPLETED&type=DO_DEPOSIT', () => []],
      ['?search=inv-2026', () => [pending]],
      ['?search=RENT%20for', () => [pending]],
      ['?search=0xdeadBEEF', () => [completed]],
      ['?search=%C3%B6stra', () => [failed, withdrawal, completed, pending]],
      ['?search=100%25', () => [failed, withdrawal, completed, pending]],
      ['?search=2026%2501', () => []],
      ['?search=2026_01', () => [pending]],
      ['?search=202__01', () => []],
      ['?search=banken&status=FAILED', () => [failed]],
      ['?search=nothing', () => []],
      ['?status=COMPLETED&sortBy=type&sortDirection=ASC', () => [completed, withdrawal]],
    ])('%s', async (query, expected) => {
      expect(await ids(query, headers)).toEqual(idsOf(...expected()))
      const { total } = (await service.get(`/custodian-bank/transactions${query}`, headers)).body.pageInfo
      expect(total).toBe(expected().length)
    })

    test('a payment is found by its id', async () => {
      expect(await ids(`?search=${pending.id.toUpperCase()}`, headers)).toEqual([pending.id])
    })
  })

  /** In one commit, whose statements do not wait for each other. */
  const addAll = (all: readonly PaymentRecord[]) =>
    service.store.commit((tx) =>
      Promise.all(
        all.map((record, i) =>
          paymentReplicas.replica.upsert(tx, paymentReplicas.toRow(record, { epoch, version: i + 1 })),
        ),
      ),
    )

  test('200 for a text that very many payments have, and for one that few of very many have', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const to = party(custodianId, { participantName: 'Busy Bank' })
    const all = Array.from({ length: 2100 }, (_, i) =>
      payment({ to, amount: String((i * 11) % 2100), description: i % 70 === 0 ? 'Odd one' : null }),
    )
    await addAll(all)
    const byAmount = all.toSorted((a, b) => Number(b.amount) - Number(a.amount))
    expect(await ids('?search=busy&sortBy=amount&limit=5&offset=100', asCustodian)).toEqual(
      idsOf(...byAmount.slice(100, 105)),
    )
    expect(await ids('?search=busy&limit=3&offset=2098', asCustodian)).toEqual(idsOf(...all.slice(0, 2).toReversed()))
    expect(await ids('?search=busy&status=COMPLETED&limit=1', asCustodian)).toEqual(idsOf(...all.slice(-1)))
    expect((await service.get('/custodian-bank/transactions?search=busy', asCustodian)).body.pageInfo.total).toBe(2100)
    const odd = all.filter((_, i) => i % 70 === 0)
    expect(await ids('?search=odd&sortDirection=ASC&limit=100', asCustodian)).toEqual(idsOf(...odd))
    expect(await ids('?search=odd&sortDirection=ASC&sortBy=type&limit=1&offset=1', asCustodian)).toEqual(
      idsOf(...odd.slice(1, 2)),
    )
  })

  test('200 in every order if few of very many pass a filter, wherever they are', async () => {
    const { custodianId, asCustodian } = await newBankWithParticipant(service)
    const to = party(custodianId, { participantName: 'Long Bank' })
    const at = (i: number) => new Date(Date.UTC(2026, 0, 1) + ((i * 7919) % 10_007)).toISOString()
    const all = Array.from({ length: 10_300 }, (_, i) => {
      const [createdAt, updatedAt, amount] = [at(i), at(2 * i), String((i * 31) % 997)]
      const isRare = i % 2000 === 7 || i > 10_295
      return payment({ to, createdAt, updatedAt, amount, status: isRare ? 'CANCELLED' : 'COMPLETED' })
    })
    await addAll(all)
    const rare = all.filter(({ status }) => status === 'CANCELLED')
    for (const sortBy of ['createdAt', 'updatedAt', 'amount', 'status', 'type'] as const) {
      const keyOf = (record: PaymentRecord) => (sortBy === 'amount' ? Number(record.amount) : record[sortBy])
      const sorted = rare.toSorted((a, b) =>
        keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.id < b.id ? -1 : 1,
      )
      for (const [direction, expected] of [
        ['ASC', sorted],
        ['DESC', sorted.toReversed()],
      ] as const) {
        const order = `sortBy=${sortBy}&sortDirection=${direction}`
        expect(await ids(`?status=CANCELLED&${order}`, asCustodian)).toEqual(idsOf(...expected))
        expect(await ids(`?status=CANCELLED&${order}&offset=3&limit=4`, asCustodian)).toEqual(
          idsOf(...expected.slice(3, 7)),
        )
        expect(await ids(`?search=long&${order}&offset=10299&limit=4`, asCustodian)).toHaveLength(1)
      }
    }
  })

  const statuses = 'PENDING, IN_REVIEW, APPROVED, PROCESSING, COMPLETED, REJECTED, CANCELLED, FAILED'
  const types = 'DEPOSIT, WITHDRAWAL, TRANSFER, DO_DEPOSIT, INTERNAL_DEPOSIT'
  test.each([
    ['status=pending', `status must be one or more of the following values: ${statuses}`],
    ['status=PENDING&status=DONE', `status must be one or more of the following values: ${statuses}`],
    ['status=', `status must be one or more of the following values: ${statuses}`],
    ['status=[', `status must be one or more of the following values: ${statuses}`],
    ['status=__proto__', `status must be one or more of the following values: ${statuses}`],
    ['status[]=x', `status[] must be one or more of the following values: ${statuses}`],
    ['type=toString', `type must be one or more of the following values: ${types}`],
    ['type[]=PAYOUT', `type[] must be one or more of the following values: ${types}`],
    ['sortBy=amount;drop', 'sortBy must be one of the following values: createdAt, updatedAt, amount, status, type'],
    ['sortDirection=desc', 'sortDirection must be one of the following values: ASC, DESC'],
    ['sortBy=amount&sortBy=type', 'sortBy must be given once'],
    ['limit=101', 'limit must not be greater than 100'],
    ['limit=1.5', 'limit must be an integer'],
    ['offset=-1', 'offset must not be less than 0'],
    ['search=', 'search should not be empty'],
    [`search=${'x'.repeat(256)}`, 'search must be at most 255 characters long'],
    ['search=a%00b', 'search must not hold control characters'],
  ])('400 for %s', async (query, message) => {
    const headers = await service.as({ custodianId: nobody })
    expect(refused(await service.get(`/custodian-bank/transactions?${query}`, headers), 400).message).toBe(message)
  })
})

describe('GET /custodian-bank/transactions/:transactionId', () => {
  test('200 for a payment from or to the bank', async () => {
    const { custodianId, asCustodian, asParticipant } = await newBankWithParticipant(service)
    const [deposit, withdrawal] = await announce(
      service,
      payment({ to: party(custodianId) }),
      payment({ type: 'WITHDRAWAL', from: party(custodianId) }),
    )
    for (const record of [deposit, withdrawal]) {
      const participants = {
        fromParticipant: record.from?.participantId ?? null,
        toParticipant: record.to?.participantId ?? null,
      }
      const expected = { status: 200, body: { ...record, ...participants } }
      expect(await service.get(`/custodian-bank/transactions/${record.id}`, asCustodian)).toMatchObject(expected)
      expect(await service.get(`/custodian-bank/transactions/${record.id}`, asParticipant)).toMatchObject(expected)
    }
  })

  test('400 for an id that is not a UUID; 404 for an unknown payment, and for another bank’s', async () => {
    const { asCustodian } = await newBankWithParticipant(service)
    const [foreign] = await announce(service, payment({ to: party(nobody) }))
    const of = (id: string) => service.get(`/custodian-bank/transactions/${id}`, asCustodian)
    expect(refused(await of('x'), 400).message).toBe(uuidExpected)
    expect(refused(await of(nobody), 404)).toEqual({ code: 'NOT_FOUND', message: 'Transaction not found' })
    expect(refused(await of(foreign.id), 404).message).toBe('Transaction not found')
  })
})
