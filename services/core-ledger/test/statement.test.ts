import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { completeTransaction } from './ends'
import { type Ledger, openLedger } from './harness'
import { testOwners } from './owners'
import { quoteServer } from './quote-server'
import { type Bench, balanceOf, depositOf, make, makeAsset, makeBench, outside, screen, withdrawalOf } from './steps'

const start = '2026-03-01T00:00:00.000Z'
const now = fixedClock(start)
let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger({ tuning: { now } })
})
afterAll(() => ledger.close())

const nowhere = '00000000-0000-7000-8000-000000000000'
const dayMs = 86_400_000
const at = (day: number) => new Date(Date.parse(start) + day * dayMs).toISOString()

interface Line {
  kind: string
  amount: string
  balance: string
  [field: string]: unknown
}
interface Statement {
  balances: Record<string, string>[]
  lines: Line[]
  message?: unknown
}

const ask = (accountId: string, from: string, to: string, more = '') =>
  ledger.ask<Statement>('GET', `/balances/account/${accountId}/statement${more}?from=${from}&to=${to}`)
const read = async (accountId: string, fromDay: number, toDay: number) =>
  (await ask(accountId, at(fromDay), at(toDay))).body

/** A transaction that is carried out on this day. */
async function carriedOut(
  day: number,
  kind: 'withdrawal' | 'deposit' | 'transfer',
  body: object,
  of = ledger,
): Promise<string> {
  const { id } = await make(of, kind, body)
  await screen(of, id, true)
  await of.store.commit((tx) => completeTransaction(tx, id, { at: new Date(at(day)) }))
  return id
}

const transferOf = (from: Bench, to: Bench, amount: string) => ({
  fromAccountId: from.accountId,
  toAccountId: to.accountId,
  assetId: from.assetId,
  amount,
  reference: 'Rent',
})

/** An account with 100 from day 1, 30 paid on day 3, 20 sent to the other on day 5, 5 received on day 7. */
async function story(of = ledger): Promise<{ bench: Bench; other: Bench; ids: string[] }> {
  const bench = await makeBench(of, '0')
  const other = { ...bench, accountId: (await of.account({ customerId: bench.customerId })).id }
  const ids = [
    await carriedOut(1, 'deposit', depositOf(bench, '100'), of),
    await carriedOut(3, 'withdrawal', withdrawalOf(bench, '30'), of),
    await carriedOut(5, 'transfer', transferOf(bench, other, '20'), of),
    await carriedOut(7, 'transfer', transferOf(other, bench, '5'), of),
  ]
  return { bench, other, ids }
}

describe('GET /balances/accounts/history', () => {
  const usdOf = async (of: Ledger, query: string) => {
    const { status, body } = await of.ask<{ series: { date: string; usdValue: number }[]; unpriced: string[] }>(
      'GET',
      `/balances/accounts/history?${query}`,
    )
    expect(status).toBe(200)
    return { ...body, usd: body.series.map(({ usdValue }) => usdValue) }
  }

  test('200: what the accounts held together at the end of each day; what moves between them stays', async () => {
    const rates: Record<string, number> = {}
    const quote = quoteServer(rates)
    const own = fixedClock(start)
    const priced = await openLedger({ tuning: { now: own }, urls: { quote: quote.url } })
    const { bench, other } = await story(priced)
    rates[String((await priced.ask('GET', `/assets/${bench.assetId}`)).body.code)] = 2
    own.set(at(8))
    // What is held for a withdrawal is still there.
    await make(priced, 'withdrawal', withdrawalOf(bench, '9'))
    const { series, usd, unpriced } = await usdOf(priced, `accountIds=${bench.accountId}&days=9`)
    expect([series[0]?.date, series.at(-1)?.date, unpriced]).toEqual([at(0).slice(0, 10), at(8).slice(0, 10), []])
    expect(usd).toEqual([0, 200, 200, 140, 140, 100, 100, 110, 110])
    const both = `accountIds=${bench.accountId.toUpperCase()},${other.accountId},${nowhere}`
    expect((await usdOf(priced, `${both}&days=9`)).usd).toEqual([0, 200, 200, 140, 140, 140, 140, 140, 140])
    // What was before the first day is part of it.
    expect((await usdOf(priced, `${both}&days=4`)).usd).toEqual([140, 140, 140, 140])
    expect((await usdOf(priced, `accountIds=${nowhere}&days=2`)).usd).toEqual([0, 0])
    expect((await usdOf(priced, both)).series).toHaveLength(30)
    own.set(at(7))
    expect((await usdOf(priced, `accountIds=${bench.accountId}&days=2`)).usd).toEqual([100, 110])
    // By a clock that is set back, what came on the seventh day is still to come.
    own.set(at(6))
    expect((await usdOf(priced, `accountIds=${bench.accountId}&days=7`)).usd).toEqual([0, 200, 200, 140, 140, 100, 100])
    await priced.close()
    await quote.stop()
  })

  test('an asset without a rate is left out, and named', async () => {
    const { bench } = await story()
    const { code } = (await ledger.ask('GET', `/assets/${bench.assetId}`)).body
    const { usd, unpriced } = await usdOf(ledger, `accountIds=${bench.accountId}&days=1`)
    expect([usd, unpriced]).toEqual([[0], [String(code)]])
  })

  test.each(['', 'accountIds=none', `accountIds=${nowhere}&days=0`, `accountIds=${nowhere}&days=93`])(
    '400: %#',
    async (query) => expect((await ledger.ask('GET', `/balances/accounts/history?${query}`)).status).toBe(400),
  )
})

describe('GET /balances/account/:accountId/statement', () => {
  test('200: each change with the balance after it; both ends agree with what is between them', async () => {
    const { bench, other, ids } = await story()
    const { status, body } = await ask(bench.accountId, at(0), at(30))
    expect(status).toBe(200)
    expect(body).toMatchObject({ accountId: bench.accountId, from: at(0), to: at(30) })
    expect(body.balances).toEqual([
      {
        assetId: bench.assetId,
        assetCode: expect.any(String),
        network: 'ethereum',
        opening: '0',
        in: '105',
        out: '50',
        closing: '55',
      },
    ])
    expect(
      body.lines.map(({ at, kind, transactionId, amount, balance, counterparty, reference }) => [
        at,
        kind,
        transactionId,
        amount,
        balance,
        counterparty,
        reference,
      ]),
    ).toEqual([
      [at(1), 'DEPOSIT', ids[0], '100', '100', outside, null],
      [at(3), 'WITHDRAWAL', ids[1], '-30', '70', outside, null],
      [at(5), 'TRANSFER_OUT', ids[2], '-20', '50', other.accountId, 'Rent'],
      [at(7), 'TRANSFER_IN', ids[3], '5', '55', other.accountId, 'Rent'],
    ])
    expect((await read(other.accountId, 0, 30)).lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['TRANSFER_IN', '20'],
      ['TRANSFER_OUT', '-5'],
    ])
  })

  test('a period has what was posted from its first moment until before its end; what came later is taken off', async () => {
    const { bench } = await story()
    const part = await read(bench.accountId, 3, 7)
    expect(part.balances).toMatchObject([{ opening: '100', in: '0', out: '50', closing: '50' }])
    expect(part.lines.map(({ amount, balance }) => [amount, balance])).toEqual([
      ['-30', '70'],
      ['-20', '50'],
    ])
    expect(await read(bench.accountId, 2, 3)).toMatchObject({
      lines: [],
      balances: [{ opening: '100', closing: '100' }],
    })
    expect(await read(bench.accountId, -9, 1)).toMatchObject({ lines: [], balances: [{ opening: '0', closing: '0' }] })
    // One period ends as the next begins.
    const periods = await Promise.all([0, 2, 4, 6].map((day) => read(bench.accountId, day, day + 2)))
    for (const [i, { balances }] of periods.entries())
      expect(balances[0]?.closing).toBe(periods[i + 1]?.balances[0]?.opening ?? '55')
  })

  test('what is held still is part of the balance; what was not carried out is no change', async () => {
    const { bench } = await story()
    await make(ledger, 'withdrawal', withdrawalOf(bench, '10'))
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '7'))
    await screen(ledger, id, false)
    await ledger.ask('POST', `/transactions/${id}/reject-frozen-withdrawal`, { reason: 'Unclear' })
    expect(await balanceOf(ledger, bench)).toEqual(['45', '10', '55'])
    const { balances, lines } = await read(bench.accountId, 0, 30)
    expect([balances[0]?.closing, lines.length]).toEqual(['55', 4])
  })

  test('each asset has its own balance, exact to the last digit, in the order of codes', async () => {
    const bench = await makeBench(ledger, '0')
    const fine = { ...bench, assetId: await makeAsset(ledger, { code: 'AAA', decimalPlaces: 18 }) }
    await carriedOut(1, 'deposit', depositOf(bench, '1'))
    await carriedOut(1, 'deposit', depositOf(fine, '9007199254740993.000000000000000001'))
    await carriedOut(2, 'withdrawal', withdrawalOf(fine, '0.000000000000000001'))
    const { balances, lines } = await read(bench.accountId, 0, 30)
    expect(balances.map(({ assetCode, closing }) => [assetCode, closing])).toEqual([
      ['AAA', '9007199254740993'],
      [expect.any(String), '1'],
    ])
    expect(lines.map(({ balance }) => balance)).toContain('9007199254740993.000000000000000001')
    expect(lines.at(-1)).toMatchObject({ amount: '-0.000000000000000001', balance: '9007199254740993' })
  })

  test('more than are read in a turn, many of one moment, are all there, once', async () => {
    const bench = await makeBench(ledger, '0')
    for (let i = 0; i < 501; i++) await carriedOut(i < 400 ? 1 : 2, 'deposit', depositOf(bench, '1'))
    const { balances, lines } = await read(bench.accountId, 0, 30)
    expect([balances[0]?.opening, balances[0]?.closing, lines.length]).toEqual(['0', '501', 501])
    expect(new Set(lines.map(({ transactionId }) => transactionId)).size).toBe(501)
    expect((await read(bench.accountId, 2, 3)).balances[0]).toMatchObject({ opening: '400', in: '101' })
  })

  test('an account that never held anything', async () => {
    const { id } = await ledger.account()
    expect(await read(id, 0, 30)).toMatchObject({ balances: [], lines: [] })
  })

  test.each([
    ['no from', '', at(1)],
    ['no time', 'yesterday', at(1)],
    ['its end before its beginning', at(2), at(1)],
    ['no length', at(1), at(1)],
    ['more than a year', at(0), at(367)],
  ])('400 for %s', async (_what, from, to) => {
    const { accountId } = await makeBench(ledger, '0')
    expect((await ask(accountId, from, to)).status).toBe(400)
    expect((await ask(accountId, from, to, '/export')).status).toBe(400)
  })

  test('404 for an unknown account, 503 when nobody knows', async () => {
    const owners = testOwners()
    const own = await openLedger({ urls: { account: owners.server.url, customer: owners.server.url } })
    const query = `/balances/account/${nowhere}/statement?from=${at(0)}&to=${at(1)}`
    expect((await own.ask('GET', query)).status).toBe(404)
    await own.close()
    await owners.server.stop()
    expect((await ledger.ask('GET', query)).status).toBe(503)
  })
})

describe('GET /balances/account/:accountId/statement/export', () => {
  test('200: the same lines as a table', async () => {
    const { bench } = await story()
    const path = `/balances/account/${bench.accountId}/statement/export?from=${at(3)}&to=${at(7)}`
    const answer = await ledger.get(path)
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="statement.csv"')
    const rows = String(answer.body).trimEnd().split('\r\n')
    expect(rows[0]).toBe('at,kind,transactionId,assetCode,network,amount,balance,counterparty,reference,txHash')
    expect(rows.slice(1).map((row) => row.split(',').filter((_, i) => [0, 1, 5, 6].includes(i)))).toEqual([
      [at(3), 'WITHDRAWAL', '-30', '70'],
      [at(5), 'TRANSFER_OUT', '-20', '50'],
    ])
  })
})
