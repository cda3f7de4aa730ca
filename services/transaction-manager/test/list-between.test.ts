// The list by filters in order of creation: pages, totals, counts, the export, and invalid combinations.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { foldCounts } from '../src/payments/fold-counts'
import type { Payment } from '../src/payments/payments.model'
import { openService, refused, type TestTransactionManager } from './harness'
import { deposit, transfer, withdrawal } from './requests'

let manager: TestTransactionManager
/** Every payment as last answered, oldest first; those of one millisecond by id, as the lists have them. */
const all: Payment[] = []
let harbour: { pfi: { id: string }; bank: { id: string } }
let lakeside: typeof harbour

beforeAll(async () => {
  manager = await openService()
  harbour = await manager.party({ name: 'Harbour Bank' })
  lakeside = await manager.party({ name: 'Lakeside Payments' })
  const own = await manager.bank(harbour.pfi.id)
  for (let i = 0; i < 12; i++) {
    all.push(await deposit(manager, (i % 2 ? harbour : lakeside).bank.id, { reference: `IN-${i}` }))
    all.push(await withdrawal(manager, harbour.bank.id, { reference: `out-${i}` }))
    all.push(await transfer(manager, harbour.bank.id, lakeside.bank.id))
    // From one account of a participant to another: it pays and receives.
    all.push(await transfer(manager, harbour.bank.id, own.id))
    if (i === 5) await foldCounts(manager.store)
  }
  // Ids begin with the time of creation: those of one millisecond are in no order of their own.
  all.sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const [at, payment] of all.entries()) {
    if (payment.type !== 'WITHDRAWAL' || at % 3) continue
    all[at] = (await manager.put(`/withdrawal/${payment.id}`, { status: 'APPROVED' })).body.data
  }
})
afterAll(() => manager.close())

const ids = (payments: readonly Payment[]) => payments.map(({ id }) => id)
const isOf = (id: string) => (payment: Payment) => [payment.fromParticipant, payment.toParticipant].includes(id)
/** Every page of a list, each read after the last payment of the previous one. */
async function walk(query: string, limit: number): Promise<{ ids: string[]; totals: number[] }> {
  const found: string[] = []
  const totals: number[] = []
  for (let after = ''; ; ) {
    const { status, body } = await manager.get(`/transactions?${query}&limit=${limit}${after}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    totals.push(body.pageInfo.total)
    found.push(...ids(body.data))
    if (body.data.length < limit) return { ids: found, totals }
    after = `&after=${body.data.at(-1).id}`
  }
}

describe('GET /transactions by creation', () => {
  test('returns every payment once, page by page, with the exact total', async () => {
    const at = all[20]?.createdAt ?? ''
    const until = all[42]?.createdAt ?? ''
    const filters: [string, (payment: Payment) => boolean][] = [
      ['', () => true],
      [`participantId=${lakeside.pfi.id}`, isOf(lakeside.pfi.id)],
      [`participantId=${harbour.pfi.id}`, isOf(harbour.pfi.id)],
      [`participantId=${harbour.pfi.id.toUpperCase()}&type=TRANSFER`, ({ type }) => type === 'TRANSFER'],
      ['type=WITHDRAWAL', ({ type }) => type === 'WITHDRAWAL'],
      ['status=APPROVED,FAILED', ({ status }) => status === 'APPROVED'],
      ['type=DEPOSIT&status=PENDING', ({ type }) => type === 'DEPOSIT'],
      [`from=${at}`, ({ createdAt }) => createdAt >= at],
      [`to=${until}&type=TRANSFER`, ({ createdAt, type }) => createdAt <= until && type === 'TRANSFER'],
      [
        `from=${at}&to=${until}&participantId=${harbour.pfi.id}`,
        (each) => each.createdAt >= at && each.createdAt <= until && isOf(harbour.pfi.id)(each),
      ],
      ['from=2200-01-01T00:00:00Z', () => false],
      [`participantId=${Bun.randomUUIDv7()}`, () => false],
    ]
    for (const [filter, isWanted] of filters) {
      for (const order of ['asc', 'desc']) {
        const wanted = ids(all.filter(isWanted))
        if (order === 'desc') wanted.reverse()
        for (const limit of [7, 100]) {
          const pages = await walk(`order=${order}&${filter}`, limit)
          expect([filter, order, pages.ids]).toEqual([filter, order, wanted])
          expect([filter, new Set(pages.totals)]).toEqual([filter, new Set([wanted.length])])
        }
      }
    }
  })

  test('continues after a payment outside the period only within the period', async () => {
    const at = all[20]?.createdAt ?? ''
    const inTime = ids(all.filter(({ createdAt }) => createdAt >= at))
    const from = await manager.get(`/transactions?from=${at}&order=asc&limit=100&after=${all[0]?.id}`)
    expect(ids(from.body.data)).toEqual(inTime)
    const to = await manager.get(`/transactions?to=${at}&order=desc&limit=100&after=${all.at(-1)?.id}`)
    expect(ids(to.body.data)).toEqual(ids(all.filter(({ createdAt }) => createdAt <= at)).reverse())
  })

  test('finds by reference, case-insensitively', async () => {
    const { body } = await manager.get('/transactions?reference=OUT-3')
    expect(body.data).toEqual(all.filter(({ reference }) => reference === 'out-3'))
    expect(body.pageInfo.total).toBe(1)
    expect((await manager.get('/transactions?reference=out-3&type=DEPOSIT')).body.data).toEqual([])
    expect((await manager.get(`/transactions?reference=in-1&participantId=${lakeside.pfi.id}`)).body.data).toEqual([])
  })

  test('returns the total in a header on request', async () => {
    const headers = async (query: string) => (await manager.get(`/transactions?${query}`)).headers.get('x-total-count')
    expect(await headers('order=asc&limit=1&count=true')).toBe(String(all.length))
    expect(await headers('type=DEPOSIT&limit=1&count=true')).toBe(
      String(all.filter(({ type }) => type === 'DEPOSIT').length),
    )
    expect(await headers('type=DEPOSIT&limit=1')).toBeNull()
  })

  test.each([
    ['order=asc&search=harbour', 'search cannot be combined with participantId, reference, from, to, order and after'],
    ['order=asc&sortBy=amount', 'sortBy must be createdAt with participantId, reference, from, to, order and after'],
    ['order=asc&offset=1001', 'offset must not be greater than 1000 with these filters: use after'],
    ['participantId=x', 'participantId must be a UUID'],
    ['after=x', 'after must be a UUID'],
    ['order=up', 'order must be one of the following values: asc, desc'],
    ['count=1', 'count must be true or false'],
  ])('refuses %s', async (query, message) => {
    expect(refused(await manager.get(`/transactions?${query}`), 400)).toMatchObject({
      code: 'INVALID_REQUEST',
      message,
    })
  })
})

describe('GET /transactions/counts', () => {
  test('counts each type and status, with the oldest', async () => {
    const { status, body } = await manager.get('/transactions/counts')
    expect(status).toBe(200)
    const groups = Map.groupBy(all, ({ type, status }) => `${type} ${status}`)
    const wanted = [...groups.values()].map(([oldest, ...more]) => ({
      type: oldest?.type,
      status: oldest?.status,
      count: 1 + more.length,
      oldestId: oldest?.id,
      oldestAt: oldest?.createdAt,
    }))
    expect(body).toHaveLength(wanted.length)
    expect(body).toEqual(expect.arrayContaining(wanted))
  })
})

describe('GET /transactions/export', () => {
  const table = async (query: string) => {
    const { status, headers, body } = await manager.get<string>(`/transactions/export?${query}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    return body.trimEnd().split('\r\n')
  }

  test('returns all payments, newest first, and applies the filters', async () => {
    const [names, ...lines] = await table('')
    expect(names).toBe(
      'id,type,status,amount,currency,fromParticipantId,fromParticipantName,toParticipantId,toParticipantName,' +
        'reference,description,transactionHash,createdAt,updatedAt',
    )
    expect(lines.map((line) => line.split(',')[0])).toEqual(ids(all).reverse())
    const [first] = all
    expect(lines.at(-1)).toBe(
      `${first?.id},DEPOSIT,PENDING,100,USD,,,${lakeside.pfi.id},Lakeside Payments,IN-0,,,${first?.createdAt},${first?.updatedAt}`,
    )
    const approved = await table(`status=APPROVED&order=asc&participantId=${harbour.pfi.id}`)
    expect(approved.slice(1).map((line) => line.split(',')[0])).toEqual(
      ids(all.filter(({ status }) => status === 'APPROVED')),
    )
  })

  test('400 for a filter that is not valid', async () => {
    refused(await manager.get('/transactions/export?status=DONE'), 400)
  })
})

describe('GET /internal/search', () => {
  const found = async (q: string, more = '') => {
    const as = await manager.asService('gateway')
    return (await manager.get(`/internal/search?q=${encodeURIComponent(q)}${more}`, as)).body
  }

  test('finds a payment by its id, reference and hash, case-insensitively', async () => {
    const payment = await deposit(manager, harbour.bank.id, { reference: 'Funding 7', amount: '1250.50' })
    all.push((await manager.put(`/deposit/${payment.id}/update`, { transactionHash: '0xFEED' })).body.data)
    const hit = {
      kind: 'payment',
      id: payment.id,
      title: 'Deposit of 1250.5 USD',
      detail: 'Reference Funding 7',
      status: 'PENDING',
      at: payment.createdAt,
    }
    expect(await found(payment.id.toUpperCase())).toEqual([hit])
    expect(await found('funding 7')).toEqual([hit])
    expect(await found('0xfeed')).toEqual([{ ...hit, detail: 'Hash 0xfeed' }])
    expect(await found('funding')).toEqual([])
  })

  test('shows a participant nothing but its own', async () => {
    const payment = await deposit(manager, harbour.bank.id)
    all.push(payment)
    const { reference, id } = payment
    expect(await found(reference, `&participantId=${lakeside.pfi.id}`)).toEqual([])
    expect(await found(reference, `&participantId=${harbour.pfi.id}`)).toMatchObject([{ id }])
  })

  test('401 for callers that are not services', async () => {
    refused(await manager.get('/internal/search?q=x'), 401)
  })
})

test('a payment that a search finds by its reference and by its payer’s name is counted and listed once', async () => {
  const own = await openService()
  const payer = await own.party({ name: 'Twice named' })
  const payment = await deposit(own, payer.bank.id, { reference: 'twice NAMED' })
  await deposit(own, payer.bank.id)
  const { body } = await own.get('/transactions?search=twice named&sortDirection=ASC')
  expect([body.pageInfo.total, body.data.length, body.data[0].id]).toEqual([2, 2, payment.id])
  await own.close()
})
