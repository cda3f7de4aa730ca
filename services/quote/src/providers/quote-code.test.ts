import { describe, expect, test } from 'bun:test'
import { createSingleFlight } from '@bursar/http'
import { fixedClock } from '@bursar/testing'
import Big from 'big.js'
import fc from 'fast-check'
import { createCoolDown } from './adapters/cool-down'
import type { AskedProvider } from './adapters/query-provider'
import { type Quote, quoteCode } from './quote-code'

const now = fixedClock('2026-01-02T03:04:05.000Z')
const nobody = { request: () => Promise.reject(new Error('asked the network')) }
const fixed = (slug: string, rate: number | string): AskedProvider => ({ slug, config: { rates: { BTC: rate } } })
const deps = (maxDeviationPct?: number) => ({
  outbound: nobody,
  coolDown: createCoolDown(),
  now,
  flight: createSingleFlight<Quote>(),
  maxDeviationPct,
})

const middleOf = (prices: readonly number[]): number => {
  const sorted = prices.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** Prices as decimal text, of every size, so that the exact and the float arithmetic differ. */
const decimals = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.integer({ min: -20, max: 0 }))
  .map(([digits, exponent]) => `${digits}e${exponent}`)

describe('the rate', () => {
  test('is the mean of the answers, to the last digit', async () => {
    expect(await quoteCode([fixed('a', '0.1'), fixed('b', '0.2')], 'BTC', deps())).toEqual({
      rate: 0.15,
      providers: { a: 0.1, b: 0.2 },
      failures: {},
      leftOut: {},
      unknownEverywhere: false,
    })
  })

  test('is the mean of those who answered; the others are named', async () => {
    const providers = [fixed('a', 10), fixed('b', 0), { slug: 'c', config: {} }, { slug: 'd', config: { rates: {} } }]
    expect(await quoteCode(providers, 'BTC', deps())).toEqual({
      rate: 10,
      providers: { a: 10 },
      failures: {
        b: 'answered a price that is not above 0',
        c: 'no adapter',
        d: 'does not know the asset BTC',
      },
      leftOut: {},
      unknownEverywhere: false,
    })
  })

  test('is null when nobody answers or there are no providers', async () => {
    const unknown = { slug: 'u', config: { rates: {} } }
    const broken = { slug: 'x', config: {} }
    expect(await quoteCode([], 'BTC', deps())).toMatchObject({ rate: null, unknownEverywhere: false })
    expect(await quoteCode([unknown], 'BTC', deps())).toMatchObject({ rate: null, unknownEverywhere: true })
    expect(await quoteCode([unknown, broken], 'BTC', deps())).toMatchObject({ rate: null, unknownEverywhere: false })
  })

  test('lies between the lowest and the highest answer, and order does not matter', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(decimals, { minLength: 1, maxLength: 8 }), async (texts) => {
        const providers = texts.map((text, at) => fixed(`p${at}`, text))
        const { rate } = await quoteCode(providers, 'BTC', deps())
        const sorted = texts.map((text) => new Big(text)).toSorted((a, b) => a.cmp(b))
        expect(rate).toBeGreaterThanOrEqual(sorted[0]?.toNumber() ?? Number.NaN)
        expect(rate).toBeLessThanOrEqual(sorted.at(-1)?.toNumber() ?? Number.NaN)
        expect((await quoteCode(providers.toReversed(), 'BTC', deps())).rate).toBe(rate)
      }),
      { numRuns: 100 },
    )
  })

  test('keeps the digits of the smallest prices', async () => {
    expect((await quoteCode([fixed('a', '1.5e-30')], 'BTC', deps())).rate).toBe(1.5e-30)
    expect((await quoteCode([fixed('a', '1e-25'), fixed('b', '2e-25')], 'BTC', deps())).rate).toBe(1.5e-25)
    expect((await quoteCode([fixed('a', '1e20'), fixed('b', '3e20')], 'BTC', deps())).rate).toBe(2e20)
  })

  test('equals the exact mean, counted in whole numbers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 24n }), { minLength: 1, maxLength: 8 }),
        async (all) => {
          const { rate } = await quoteCode(
            all.map((units, at) => fixed(`p${at}`, `${units}e-18`)),
            'BTC',
            deps(),
          )
          const sum = all.reduce((total, units) => total + units, 0n)
          const difference = new Big(rate ?? 0).times(all.length).minus(`${sum}e-18`).abs()
          expect(difference.lte(new Big(`${sum}e-18`).times('1e-15'))).toBe(true)
        },
      ),
    )
  })
})

describe('the median rule', () => {
  test('leaves out and names an outlier, and is off by default', async () => {
    const providers = [fixed('a', 100), fixed('b', 101), fixed('c', 150)]
    expect(await quoteCode(providers, 'BTC', deps(5))).toEqual({
      rate: 100.5,
      providers: { a: 100, b: 101 },
      failures: { c: 'is further than 5 % from the median' },
      leftOut: { c: 150 },
      unknownEverywhere: false,
    })
    expect((await quoteCode(providers, 'BTC', deps())).rate).toBe(117)
  })

  test('leaves nobody out when fewer than three answered', async () => {
    const providers = [fixed('a', 100), fixed('b', 200), { slug: 'c', config: {} }]
    expect(await quoteCode(providers, 'BTC', deps(5))).toMatchObject({ rate: 150, leftOut: {} })
  })

  test('counts a price at exactly the maximum deviation', async () => {
    expect((await quoteCode([fixed('a', 95), fixed('b', 100), fixed('c', 105)], 'BTC', deps(5))).leftOut).toEqual({})
  })

  test('gives no rate when the providers form two groups', async () => {
    const providers = [fixed('a', 100), fixed('b', 100), fixed('c', 200), fixed('d', 200)]
    const quote = await quoteCode(providers, 'BTC', deps(5))
    expect(quote).toMatchObject({ rate: null, providers: {}, unknownEverywhere: false })
    expect(Object.keys(quote.failures)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('decides by the deviation only, and loses no provider', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 3, maxLength: 9 }), async (prices) => {
        const providers = prices.map((each, at) => fixed(`p${at}`, each))
        const quote = await quoteCode(providers, 'BTC', deps(10))
        const middle = middleOf(prices)
        for (const [at, each] of prices.entries()) {
          const isFar = Math.abs(each - middle) * 100 > middle * 10
          expect(quote.leftOut[`p${at}`]).toBe(isFar ? each : undefined)
          expect(quote.providers[`p${at}`]).toBe(isFar ? undefined : each)
        }
        if (prices.length % 2 === 1) expect(quote.rate).not.toBeNull()
      }),
      { numRuns: 100 },
    )
  })
})

describe('single flight', () => {
  const gate = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let asked = 0
    const outbound = {
      async request() {
        asked += 1
        await promise
        return { status: 200, headers: new Headers(), text: `{"data":{"amount":"${asked}"}}` }
      },
    }
    return { open: resolve, asked: () => asked, outbound }
  }
  const coinbase = { slug: 'coinbase', config: {} }
  const bitstamp = { slug: 'bitstamp', config: {} }

  test('requests for one code at the same time share a round, and the next one starts another', async () => {
    const { open, asked, outbound } = gate()
    const shared = { ...deps(), outbound }
    const rounds = Array.from({ length: 10 }, () => quoteCode([coinbase], 'BTC', shared))
    open()
    expect((await Promise.all(rounds)).map(({ rate }) => rate)).toEqual(Array(10).fill(1))
    expect(asked()).toBe(1)
    expect((await quoteCode([coinbase], 'BTC', shared)).rate).toBe(2)
  })

  test('another code, other providers or another config have their own round', async () => {
    const { open, asked, outbound } = gate()
    const shared = { ...deps(), outbound }
    const rounds = [
      quoteCode([coinbase], 'BTC', shared),
      quoteCode([coinbase], 'ETH', shared),
      quoteCode([{ ...coinbase, config: { apiKey: 'k' } }], 'BTC', shared),
      quoteCode([coinbase, bitstamp], 'BTC', shared),
      quoteCode([bitstamp, coinbase], 'BTC', shared),
    ]
    open()
    await Promise.all(rounds)
    expect(asked()).toBe(5)
  })

  test('an error goes to all waiting callers, and is not cached', async () => {
    const flight = createSingleFlight<number>()
    const work = async () => {
      throw new Error('no')
    }
    const results = await Promise.allSettled([flight('k', work), flight('k', work)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await flight('k', async () => 1)).toBe(1)
  })
})
