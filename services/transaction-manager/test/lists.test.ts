import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { listPayments } from '../src/lists/list-payments'
import type { PaymentQuery } from '../src/lists/lists.model'
import { foldCounts } from '../src/payments/fold-counts'
import type { Payment } from '../src/payments/payments.model'
import { openService, refused, type TestTransactionManager } from './harness'
import { deposit, destinationAccount, made, transfer } from './requests'

let manager: TestTransactionManager
/** Every payment as last answered, oldest first. */
const all: Payment[] = []
const names = new Map<string, string>()

// Few values, so that many payments share them; amounts whose texts and numbers sort differently.
const amounts = ['2', '10', '9.5', '100', '0.05', '100', '12345678901234567890123456']
const statuses = ['PENDING', 'IN_REVIEW', 'APPROVED', 'PROCESSING', 'COMPLETED'] as const
const currencies = ['USD', 'JPY', 'KWD']
let seed = 7
function draw(below: number): number {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed % below
}
const oneFrom = <T>(values: readonly T[]): T => values[Math.floor((draw(1000) / 1000) * values.length)] as T

beforeAll(async () => {
  manager = await openService()
  const parties: string[] = []
  for (const name of ['Harbour Bank', 'Northwind 100% Pay', 'Ünïted_Clearing', 'Harbour Freight']) {
    const { id } = await manager.pfi({ name })
    names.set(id, name)
    for (const currency of currencies) await manager.bank(id, { currency })
    parties.push(id)
  }
  for (let i = 0; i < 240; i++) {
    await makeOne(parties, i)
    if (i === 120) await foldCounts(manager.store)
  }
})
afterAll(() => manager.close())

/** A participant that the test's own search also includes. */
async function named(name: string) {
  const party = await manager.party({ name })
  names.set(party.pfi.id, name)
  return party
}

async function makeOne(parties: readonly string[], i: number): Promise<void> {
  const currency = oneFrom(currencies)
  const amount = currency === 'JPY' ? oneFrom(['3', '20', '100']) : oneFrom(amounts)
  const [one, other] = [draw(4), 1 + draw(3)]
  const [from, to] = [parties[one], parties[(one + other) % 4]]
  const common = { amount, currency, participantBankId: to, reference: `REF-${i}` }
  const kind = draw(5)
  const sides = { fromParticipantBankId: from, toParticipantBankId: to }
  let payment =
    kind === 0
      ? await made(manager, '/deposit', common)
      : kind === 1
        ? await made(manager, '/withdrawal', { ...common, destinationAccount })
        : kind === 2
          ? await made(manager, '/do-deposit', common)
          : await made(manager, '/transfer', { amount, currency, ...sides, reference: common.reference })
  if (payment.type === 'TRANSFER') {
    for (const status of statuses.slice(1, 1 + draw(5))) {
      payment = (await manager.put(`/transfer/${payment.id}`, { status })).body.data
    }
  }
  all.push(payment)
}

type Query = Partial<PaymentQuery>

/** The expected page, computed by the test. */
function expected({ search, type, status, sortBy = 'createdAt', sortDirection = 'DESC' }: Query): string[] {
  const wanted = search?.toLowerCase()
  const found = all.filter(
    (payment) =>
      (!type || type.includes(payment.type)) &&
      (!status || status.includes(payment.status)) &&
      (wanted === undefined ||
        [payment.fromParticipant, payment.toParticipant].some((id) => id && nameOf(id).includes(wanted)) ||
        [payment.id, payment.reference.toLowerCase()].includes(wanted)),
  )
  const sign = sortDirection === 'ASC' ? 1 : -1
  const places = new Map(all.map(({ id }, place) => [id, place]))
  const placeOf = ({ id }: Payment) => places.get(id) ?? 0
  const compare = (a: Payment, b: Payment) => {
    if (sortBy === 'amount') return compareMoney(a.amount, b.amount)
    return a[sortBy] < b[sortBy] ? -1 : a[sortBy] > b[sortBy] ? 1 : 0
  }
  return found.sort((a, b) => sign * (compare(a, b) || placeOf(a) - placeOf(b))).map(({ id }) => id)
}

const nameOf = (id: string) => (names.get(id) ?? '').normalize('NFKC').toLowerCase()

/** As numbers, whatever the currency. */
function compareMoney(a: string, b: string): number {
  const [one, other] = [a, b].map((text) => {
    const [whole = '', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(4, '0'))
  }) as [bigint, bigint]
  return one < other ? -1 : one > other ? 1 : 0
}

const filters: Query[] = [
  {},
  { type: ['TRANSFER'] },
  { type: ['DEPOSIT', 'WITHDRAWAL'], status: ['PENDING'] },
  { status: ['COMPLETED', 'APPROVED', 'IN_REVIEW'] },
  { status: ['FAILED'] },
  { search: 'harbour' },
  { search: 'HARBOUR bank' },
  { search: '100% pay', type: ['TRANSFER'] },
  { search: 'ünïted_', status: ['PENDING', 'PROCESSING'] },
  { search: 'a', status: ['COMPLETED'] },
  { search: 'ref-17' },
  { search: '%' },
  { search: '_' },
  { search: 'nothing has this' },
]
const sorts = ['createdAt', 'updatedAt', 'amount', 'status', 'type', 'currency'] as const

test('several by their ids: those that there are, in the order of the query', async () => {
  const several = (query: string) => manager.get(`/transactions/several${query}`)
  const [one, other] = [all[7], all[3]]
  const query = `?ids=${one?.id.toUpperCase()},${crypto.randomUUID()}&ids=${other?.id}&ids=${one?.id}`
  expect(await several(query)).toMatchObject({ status: 200, body: [one, other] })
  const hundred = all.slice(0, 100)
  expect((await several(`?ids=${hundred.map(({ id }) => id)}`)).body).toEqual(hundred)
  for (const ids of ['', '?ids=none', `?ids=${all.slice(0, 101).map(({ id }) => id)}`]) refused(await several(ids), 400)
})

describe.each([
  ['with the real bounds', undefined],
  ['that never looks up', { read: 1, sorted: 1e9, merged: 20_000, mergedOfSearch: 20_000 }],
  ['that always looks up', { read: 1, sorted: 0, merged: 0, mergedOfSearch: 0 }],
  ['that scans its order', { read: 1, sorted: 1e9, merged: 0, mergedOfSearch: 0 }],
])('a list %s', (_how, bounds) => {
  test('returns the expected pages and totals for all filters, sorts and directions', async () => {
    for (const filter of filters) {
      for (const sortBy of sorts) {
        for (const sortDirection of ['ASC', 'DESC'] as const) {
          const query = { ...filter, sortBy, sortDirection }
          const ids = expected(query)
          const pages: string[] = []
          for (let offset = 0; offset <= ids.length; offset += 90) {
            const asked = { ...query, limit: 90, offset } as PaymentQuery
            const { data, pageInfo } = await manager.store.snapshot((db) => listPayments(db, asked, bounds))
            expect([query, pageInfo]).toEqual([query, { limit: 90, offset, total: ids.length }])
            pages.push(...data.map(({ id }) => id))
          }
          expect([query, pages]).toEqual([query, ids])
        }
      }
    }
  })
})

describe('GET /transactions', () => {
  test('answers with the newest 20 by default', async () => {
    const { status, body } = await manager.get('/transactions')
    expect(status).toBe(200)
    expect(body.data).toEqual(all.slice(-20).reverse())
    expect(body.pageInfo).toEqual({ limit: 20, offset: 0, total: all.length })
  })

  test('accepts arrays in both notations', async () => {
    const ids = expected({ status: ['PENDING', 'COMPLETED'], type: ['TRANSFER'] }).slice(0, 20)
    for (const query of [
      'status=PENDING&status=COMPLETED&type=TRANSFER',
      'status[]=PENDING&status[]=COMPLETED&type[]=TRANSFER',
      'status=COMPLETED,PENDING&type%5B%5D=TRANSFER',
      'status=PENDING&status[]=COMPLETED&type=TRANSFER&type[]=TRANSFER',
      'status=PENDING&status[]=COMPLETED&type=TRANSFER&order=desc',
    ]) {
      const { body } = await manager.get(`/transactions?${query}`)
      expect([query, body.data.map(({ id }: Payment) => id)]).toEqual([query, ids])
    }
  })

  test('finds a payment by its id and by its hash, case-insensitively', async () => {
    const payment = await deposit(manager, all.find(({ type }) => type === 'DEPOSIT')?.to?.participantId ?? '', {
      currency: 'KWD',
    })
    const { body } = await manager.put(`/deposit/${payment.id}/update`, { transactionHash: '0xABCDEF' })
    all.push(body.data)
    for (const search of [payment.id.toUpperCase(), '0xabcdef', ' 0xABCDEF ']) {
      const found = await manager.get(`/transactions?search=${encodeURIComponent(search)}`)
      expect([search, found.body.data]).toEqual([search, [body.data]])
    }
  })

  test('returns no rows, and the total, for a limit of 0 and past the end', async () => {
    const none = await manager.get('/transactions?limit=0')
    expect(none.body).toEqual({ data: [], pageInfo: { limit: 0, offset: 0, total: all.length } })
    const past = await manager.get('/transactions?offset=5000')
    expect(past.body).toEqual({ data: [], pageInfo: { limit: 20, offset: 5000, total: all.length } })
  })

  test('has the same totals before and after its counts are folded', async () => {
    const totals = async () => {
      const queries = ['', 'status=PENDING', 'search=harbour', 'search=harbour&type=TRANSFER', 'type=DO_DEPOSIT']
      return await Promise.all(
        queries.map(async (query) => (await manager.get(`/transactions?${query}`)).body.pageInfo),
      )
    }
    const before = await totals()
    await foldCounts(manager.store)
    expect(await totals()).toEqual(before)
    await foldCounts(manager.store)
    expect(await totals()).toEqual(before)
  })

  test('counts a transfer between two accounts of one participant once', async () => {
    const { pfi: own, bank: one } = await named('Selfsame')
    const other = await manager.bank(own.id)
    const payment = await transfer(manager, one.id, other.id)
    all.push(payment)
    for (const fold of [false, true]) {
      if (fold) await foldCounts(manager.store)
      const { body } = await manager.get('/transactions?search=selfsame')
      expect(body).toEqual({ data: [payment], pageInfo: { limit: 20, offset: 0, total: 1 } })
    }
  })

  test('finds by a participant’s current name', async () => {
    const { pfi: renamed, bank } = await named('Before')
    all.push(await deposit(manager, bank.id))
    await manager.pfi({ ...renamed, name: 'Afterwards' })
    names.set(renamed.id, 'Afterwards')
    expect((await manager.get('/transactions?search=afterwards')).body.pageInfo.total).toBe(1)
    expect((await manager.get('/transactions?search=before')).body.pageInfo.total).toBe(0)
  })

  test('finds the payments of more participants than are looked up one by one', async () => {
    const ids: string[] = []
    for (let i = 0; i < 25; i++) {
      const { bank } = await named(`Crowd ${i}`)
      const payment = await deposit(manager, bank.id, { reference: i === 3 ? 'crowd' : undefined })
      all.push(payment)
      ids.push(payment.id)
    }
    const lonely = await deposit(manager, (await named('Lonely')).bank.id, { reference: 'CROW' })
    all.push(lonely)
    const { body } = await manager.get('/transactions?search=crow&limit=100&sortDirection=ASC')
    expect(body.data.map(({ id }: Payment) => id)).toEqual([...ids, lonely.id])
    expect(body.pageInfo.total).toBe(26)
  })

  test('counts payments between many participants once, and refuses a search that finds more than 200 of them', async () => {
    const own = await openService()
    const banks: string[] = []
    for (let i = 0; i < 200; i++) banks.push((await own.party({ name: `Herd ${i}` })).bank.id)
    for (let i = 0; i < 30; i++) {
      const sides = { fromParticipantBankId: banks[i * 3], toParticipantBankId: banks[199 - i * 3] }
      await made(own, '/transfer', { amount: '1', currency: 'USD', ...sides, reference: `HERD-${i}` })
    }
    await foldCounts(own.store)
    const { body } = await own.get('/transactions?search=herd&limit=5&offset=20')
    expect([body.pageInfo.total, body.data.length]).toEqual([30, 5])
    expect((await own.get('/transactions?search=herd&status=COMPLETED')).body.pageInfo.total).toBe(0)
    await own.party({ name: 'Herd 200' })
    const message = 'search finds more than 200 participants: type more of the name'
    expect(refused(await own.get('/transactions?search=herd'), 400).message).toBe(message)
    expect((await own.get('/transactions?search=herd 1')).body.pageInfo.total).toBeGreaterThan(0)
    await own.close()
  })

  test.each([
    ['limit=101', 'limit must not be greater than 100'],
    ['limit=-1', 'limit must not be less than 0'],
    ['limit=abc', 'limit must be an integer'],
    ['offset=-1', 'offset must not be less than 0'],
    ['offset=100001', 'offset must not be greater than 100000: narrow the list by its filters'],
    [
      'status=DONE',
      'status must be one or more of the following values: PENDING, IN_REVIEW, APPROVED, PROCESSING, COMPLETED, REJECTED, CANCELLED, FAILED',
    ],
    [
      'type[]=GIFT',
      'type[] must be one or more of the following values: DEPOSIT, WITHDRAWAL, TRANSFER, DO_DEPOSIT, INTERNAL_DEPOSIT',
    ],
    ['sortBy=name', 'sortBy must be one of the following values: createdAt, updatedAt, amount, status, type, currency'],
    ['sortDirection=up', 'sortDirection must be one of the following values: ASC, DESC'],
    [`search=${'x'.repeat(201)}`, 'search must be at most 200 characters long'],
    ['sortBy=amount&sortBy=type', 'sortBy must be given once'],
  ])('refuses %s', async (query, message) => {
    const refusal = refused(await manager.get(`/transactions?${query}`), 400)
    expect([refusal.code, refusal.message]).toEqual(['INVALID_REQUEST', message])
  })

  test.each(["'; drop table payments", '\\', '%_%', '\u0000', '💥', '((((', '0x', 'ﬀ'])(
    'survives a search for %j',
    async (search) => {
      expect((await manager.get(`/transactions?search=${encodeURIComponent(search)}`)).status).toBe(200)
    },
  )
})
