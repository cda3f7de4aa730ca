import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fixedClock, type LocalServer, localServer } from '@bursar/testing'
import { addDays, dayOf } from '../src/reporting/days'
import type { NetworkOverview, Overview, PortfolioOverview } from '../src/reporting/overview.model'
import { type Account, type RunningLedger, runLedger } from './execution-harness'

const path = '/api/v1/core/overview/digital-assets'
const portfolioPath = `${path}/portfolio`
const networkPath = (network: string) => `${portfolioPath}/networks/${network}`

const nothing = { count: 0, amount: '0', usdValue: 0 }
const zero = {
  deposits: nothing,
  withdrawals: nothing,
  transfers: nothing,
  balances: { amount: '0', usdValue: 0 },
}

let quote: LocalServer
let running: RunningLedger
const clock = fixedClock('2100-01-10T00:00:00.000Z')
const someDay = () => fixedClock('2100-02-01T00:00:00.000Z')
const rates: Record<string, number> = { GOLD: 2.5, SILVER: 0.1 }
let [gold, silver] = [] as RunningLedger['asset'][]
let [coins, portfolio] = [] as Account[]

/** Three days: gold and silver come in, gold goes out and moves between accounts of one type and of two. */
beforeAll(async () => {
  quote = localServer(async (request) => {
    const { assetCode } = (await request.json()) as { assetCode: string }
    const rate = rates[assetCode]
    if (rate === undefined) return Response.json({ message: 'No provider' }, { status: 503 })
    return Response.json({ rate, currency: 'USD', isStatic: false }, { status: 201 })
  })
  running = await runLedger({ tuning: { now: clock }, quote: quote.url })
  gold = await running.newAsset({ code: 'GOLD', name: 'Gold', network: 'goldnet' })
  silver = await running.newAsset({ code: 'SILVER', name: 'Silver', network: 'silvernet', decimalPlaces: 18 })
  coins = await running.funded('100', {}, gold)
  portfolio = await running.funded('50.25', { type: 'PORTFOLIO' }, gold)
  clock.set('2100-01-11T23:59:59.999Z')
  const pool = await running.ledger.account({ type: 'OMNIBUS', customerId: null })
  const sent = await running.transfer(coins, pool, '10', gold.id)
  const silverIn = await running.deposit(portfolio, '1000.000000000000000001', silver)
  await finish(sent, silverIn)
  clock.set('2100-01-13T00:00:00.000Z')
  const out = await running.withdraw(portfolio, '0.25', { assetId: gold.id, network: 'goldnet' })
  const within = await running.transfer(coins, await running.ledger.account(), '1', gold.id)
  await finish(out, within)
  // What is not completed does not count.
  await running.withdraw(coins, '5', { assetId: gold.id, network: 'goldnet' })
})
afterAll(async () => {
  await running.close()
  await quote.stop()
})

async function finish(...ids: string[]) {
  for (const id of ids) {
    await running.screen(id, true)
    await running.reached(id, 'COMPLETED')
  }
}

const ask = async <T = Overview>(query: Record<string, string> = {}, of = path) =>
  await running.ledger.ask<T>('GET', `${of}?${new URLSearchParams(query)}`)
const range = { from: '2100-01-09', to: '2100-01-13' }

describe('GET /api/v1/core/overview/digital-assets', () => {
  test('totals, exact amounts and their value in USD', async () => {
    const { status, body } = await ask(range)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...range, granularity: 'day', currency: 'USD', unpriced: [] })
    expect(body.asOf).toMatch(/^\d{4}-\d{2}-\d{2}T[\d:]{8}\.\d{3}Z$/)
    expect(body.totals).toEqual({
      deposits: { count: 3, amount: '1150.250000000000000001', usdValue: 475.63 },
      withdrawals: { count: 1, amount: '0.25', usdValue: 0.62 },
      transfers: { count: 2, amount: '11', usdValue: 27.5 },
      balances: { amount: '1150.000000000000000001', usdValue: 475 },
    })
  })

  test('by asset and by network', async () => {
    const { body } = await ask(range)
    expect(body.byAsset).toEqual([
      {
        assetId: gold?.id ?? '',
        assetCode: 'GOLD',
        assetName: 'Gold',
        network: 'goldnet',
        usdRate: 2.5,
        deposits: { count: 2, amount: '150.25', usdValue: 375.62 },
        withdrawals: { count: 1, amount: '0.25', usdValue: 0.62 },
        transfers: { count: 2, amount: '11', usdValue: 27.5 },
        balances: { amount: '150', usdValue: 375 },
      },
      {
        assetId: silver?.id ?? '',
        assetCode: 'SILVER',
        assetName: 'Silver',
        network: 'silvernet',
        usdRate: 0.1,
        ...zero,
        deposits: { count: 1, amount: '1000.000000000000000001', usdValue: 100 },
        balances: { amount: '1000.000000000000000001', usdValue: 100 },
      },
    ])
    expect(body.byNetwork.map(({ network, balances }) => [network, balances.usdValue])).toEqual([
      ['goldnet', 375],
      ['silvernet', 100],
    ])
  })

  test('a series with every day, and the holdings at its end', async () => {
    const { body } = await ask(range)
    expect(body.series.map(({ date }) => date)).toEqual(
      [9, 10, 11, 12, 13].map((day) => `2100-01-${day < 10 ? '0' : ''}${day}`),
    )
    expect(body.series[0]).toEqual({ date: '2100-01-09', ...zero })
    expect(body.series[3]).toEqual({
      date: '2100-01-12',
      ...zero,
      balances: { amount: '1150.250000000000000001', usdValue: 475.63 },
    })
    expect(body.series.map(({ deposits, balances }) => [deposits.count, balances.amount])).toEqual([
      [0, '0'],
      [2, '150.25'],
      [1, '1150.250000000000000001'],
      [0, '1150.250000000000000001'],
      [0, '1150.000000000000000001'],
    ])
  })

  test('both days count; later movements only change the current holdings', async () => {
    const { body } = await ask({ from: '2100-01-10', to: '2100-01-10' })
    expect(body.totals.deposits).toEqual({ count: 2, amount: '150.25', usdValue: 375.62 })
    expect(body.totals.transfers).toEqual(nothing)
    expect(body.series).toHaveLength(1)
    expect(body.series[0]?.balances.amount).toBe('150.25')
    expect(body.totals.balances.amount).toBe('1150.000000000000000001')
  })

  test('the last 30 days by default', async () => {
    const { body } = await ask()
    const today = dayOf(clock())
    expect([body.from, body.to, body.series.length]).toEqual([addDays(today, -29), today, 30])
    const until = (await ask({ to: '2024-03-01' })).body
    expect([until.from, until.series.length]).toEqual(['2024-02-01', 30])
    const since = (await ask({ from: addDays(today, -5), granularity: 'day' })).body
    expect([since.to, since.series.length]).toEqual([today, 6])
  })

  test('366 days are accepted', async () => {
    expect((await ask({ from: '2024-01-01', to: '2024-12-31' })).body.series).toHaveLength(366)
  })
})

describe('GET /api/v1/core/overview/digital-assets/portfolio', () => {
  test('only portfolio accounts', async () => {
    const { status, body } = await ask<PortfolioOverview>(range, portfolioPath)
    expect(status).toBe(200)
    expect(body.totals).toEqual({
      deposits: { count: 2, amount: '1050.250000000000000001', usdValue: 225.63 },
      withdrawals: { count: 1, amount: '0.25', usdValue: 0.62 },
      transfers: nothing,
      balances: { amount: '1050.000000000000000001', usdValue: 225 },
    })
    const [first] = body.byAsset
    expect(first).toMatchObject({ assetCode: 'GOLD', balances: { amount: '50', usdValue: 125 } })
    expect(first?.series.map(({ balances }) => balances.amount)).toEqual(['0', '50.25', '50.25', '50.25', '50'])
    expect(body.byNetwork.map(({ network, series }) => [network, series.length])).toEqual([
      ['goldnet', 5],
      ['silvernet', 5],
    ])
    expect(body.series.map(({ deposits }) => deposits.count)).toEqual([0, 1, 1, 0, 0])
  })
})

describe('GET /api/v1/core/overview/digital-assets/portfolio/networks/:network', () => {
  test('one network, in any case, under its normal name', async () => {
    const { status, body } = await ask<NetworkOverview>(range, networkPath('GoldNet'))
    expect([status, body.network]).toEqual([200, 'goldnet'])
    expect(body.totals.deposits).toEqual({ count: 1, amount: '50.25', usdValue: 125.62 })
    expect(body.byAsset.map(({ assetCode }) => assetCode)).toEqual(['GOLD'])
    expect(body.byNetwork.map(({ network }) => network)).toEqual(['goldnet'])
    expect(body.series).toHaveLength(5)
  })

  test('an unknown one is empty, with all days', async () => {
    const { status, body } = await ask<NetworkOverview>(range, networkPath('some%20net'))
    expect(status).toBe(200)
    expect(body).toMatchObject({ network: 'some-net', totals: zero, byAsset: [], byNetwork: [], unpriced: [] })
    expect(body.series[4]).toEqual({ date: '2100-01-13', ...zero })
  })
})

describe.each([path, portfolioPath, networkPath('goldnet')])('GET %s', (of) => {
  test.each([
    [{ from: '2100-13-01' }, ['from must be a valid date in the form YYYY-MM-DD']],
    [{ to: '2100-02-30' }, ['to must be a valid date in the form YYYY-MM-DD']],
    [{ from: '2100-1-1' }, ['from must be a valid date in the form YYYY-MM-DD']],
    [{ from: '2100-01-01T00:00:00Z' }, ['from must be a valid date in the form YYYY-MM-DD']],
    [
      { from: 'x', to: '' },
      ['from must be a valid date in the form YYYY-MM-DD', 'to must be a valid date in the form YYYY-MM-DD'],
    ],
    [{ granularity: 'week' }, ['granularity must be one of the following values: day']],
    [{ from: '2100-01-02', to: '2100-01-01' }, 'to (2100-01-01) must not be before from (2100-01-02)'],
    [{ from: '2100-01-01', to: '2101-01-02' }, 'from and to must span at most 366 days, not 367'],
  ])('400 for %j', async (query, message) => {
    const { status, body } = await ask<{ message: unknown }>(query as Record<string, string>, of)
    expect([status, body.message]).toEqual([400, message])
  })
})

describe('rates', () => {
  test('each code is fetched once a minute, for any number of requests', async () => {
    const own = await runLedger({ tuning: { now: someDay() }, quote: quote.url })
    await own.funded('1', { type: 'PORTFOLIO' }, await own.newAsset({ code: 'TIN' }))
    const get = (of: string) => own.ledger.ask('GET', of)
    await Promise.all([get(path), get(path), get(portfolioPath)])
    expect(quote.requests.filter(({ body }) => body.includes('TIN'))).toHaveLength(1)
    await own.close()
  })

  test('an unavailable rate: null wherever it counts, and its code is listed', async () => {
    const own = await runLedger({ tuning: { now: someDay() }, quote: quote.url })
    await own.funded('150', {}, await own.newAsset({ code: 'GOLD' }))
    await own.funded('7', {}, await own.newAsset({ code: 'LEAD', network: 'leadnet' }))
    const { body } = await own.ledger.ask<Overview>('GET', `${path}?from=2100-02-01&to=2100-02-01`)
    await own.close()
    expect(body.unpriced).toEqual(['LEAD'])
    expect(body.totals.deposits).toEqual({ count: 2, amount: '157', usdValue: null })
    expect(body.totals.withdrawals).toEqual(nothing)
    expect(body.totals.balances.usdValue).toBeNull()
    expect(body.byAsset.map(({ assetCode, usdRate, balances }) => [assetCode, usdRate, balances.usdValue])).toEqual([
      ['GOLD', 2.5, 375],
      ['LEAD', null, null],
    ])
  })

  test('unpriced=skip: sums of what has a rate, and the codes of the rest', async () => {
    const own = await runLedger({ tuning: { now: someDay() }, quote: quote.url })
    await own.funded('150', {}, await own.newAsset({ code: 'GOLD' }))
    await own.funded('7', {}, await own.newAsset({ code: 'LEAD', network: 'leadnet' }))
    const { body } = await own.ledger.ask<Overview>('GET', `${path}?unpriced=skip`)
    const { status } = await own.ledger.ask('GET', `${path}?unpriced=null`)
    await own.close()
    expect(status).toBe(400)
    expect(body.unpriced).toEqual(['LEAD'])
    expect(body.totals.deposits).toEqual({ count: 2, amount: '157', usdValue: 375 })
    expect(body.series.at(-1)?.balances).toEqual({ amount: '157', usdValue: 375 })
    expect(body.byNetwork.find(({ network }) => network === 'leadnet')?.balances.usdValue).toBe(0)
    // Of one asset alone there is nothing to sum.
    expect(body.byAsset.find(({ assetCode }) => assetCode === 'LEAD')?.balances.usdValue).toBeNull()
  })

  test('no quote service: 200, with null', async () => {
    const lonely = await runLedger({ tuning: { now: someDay() }, quote: 'http://127.0.0.1:1' })
    await lonely.funded('5')
    const { status, body } = await lonely.ledger.ask<Overview>('GET', path)
    expect(status).toBe(200)
    expect(body.totals.deposits).toEqual({ count: 1, amount: '5', usdValue: null })
    expect(body.series.at(-1)?.balances).toEqual({ amount: '5', usdValue: null })
    await lonely.close()
  })
})
