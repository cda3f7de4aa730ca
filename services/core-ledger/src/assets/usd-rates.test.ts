import { describe, expect, test } from 'bun:test'
import { CallError, type Client } from '@bursar/http'
import { createUsdRates } from './usd-rates'

/** A quote service that answers for a code when the test settles it. */
function quote() {
  const asked: { code: string; timeoutMs: number; settle: (rate: number | null) => void }[] = []
  const client = {
    call: (_call: unknown, { body, timeoutMs = 5000 }: { body: { assetCode: string }; timeoutMs?: number }) =>
      new Promise((resolve, reject) => {
        const away = new CallError('unreachable', 'quote', 'The quote service cannot be reached')
        const settle = (rate: number | null) => (rate === null ? reject(away) : resolve({ rate, currency: 'USD' }))
        asked.push({ code: body.assetCode, timeoutMs, settle })
      }),
  } as unknown as Client
  return { client, asked }
}

describe('USD rates', () => {
  test('are kept for a minute, and a failure for five seconds', async () => {
    let time = 0
    const { client, asked } = quote()
    const rates = createUsdRates({ client, now: () => new Date(time) })
    const both = rates.ratesOf(['A', 'B'])
    asked[0]?.settle(2)
    asked[1]?.settle(null)
    expect(await both).toEqual(
      new Map([
        ['A', 2],
        ['B', null],
      ]),
    )
    time = 4999
    expect(await rates.ratesOf(['A', 'B'])).toEqual(
      new Map([
        ['A', 2],
        ['B', null],
      ]),
    )
    expect(asked).toHaveLength(2)
    time = 5000
    const again = rates.ratesOf(['A', 'B'])
    expect(asked.map(({ code }) => code)).toEqual(['A', 'B', 'B'])
    asked[2]?.settle(3)
    expect((await again).get('B')).toBe(3)
    time = 60_000
    void rates.ratesOf(['A', 'B'])
    expect(asked.map(({ code }) => code)).toEqual(['A', 'B', 'B', 'A'])
  })

  test('are waited for longer than the quote service waits for a provider that does not answer', () => {
    const { client, asked } = quote()
    void createUsdRates({ client, now: () => new Date(0) }).ratesOf(['A'])
    expect(asked[0]?.timeoutMs).toBeGreaterThan(20_000)
  })

  test('that a clock which was ahead has kept are asked for again once it is set right', async () => {
    let time = 86_400_000
    const { client, asked } = quote()
    const rates = createUsdRates({ client, now: () => new Date(time) })
    const ahead = rates.ratesOf(['A'])
    asked[0]?.settle(2)
    await ahead
    time = 0
    const right = rates.ratesOf(['A'])
    asked[1]?.settle(3)
    expect(await right).toEqual(new Map([['A', 3]]))
    expect(await rates.ratesOf(['A'])).toEqual(new Map([['A', 3]]))
    expect(asked).toHaveLength(2)
  })

  test('are asked for eight at a time', async () => {
    const { client, asked } = quote()
    const codes = Array.from({ length: 20 }, (_, i) => `C${i}`)
    const all = createUsdRates({ client, now: () => new Date() }, { patienceMs: 60_000 }).ratesOf(codes)
    expect(asked).toHaveLength(8)
    for (let i = 0; i < codes.length; i++) {
      asked[i]?.settle(i)
      await new Promise((resolve) => setImmediate(resolve))
      expect(asked.length).toBe(Math.min(20, 9 + i))
    }
    expect((await all).get('C19')).toBe(19)
  })

  test('that come too late are null, and serve the next who asks', async () => {
    const { client, asked } = quote()
    const rates = createUsdRates({ client, now: () => new Date() }, { patienceMs: 1 })
    expect(await rates.ratesOf(['A'])).toEqual(new Map([['A', null]]))
    asked[0]?.settle(5)
    expect(await rates.ratesOf(['A'])).toEqual(new Map([['A', 5]]))
    expect(asked).toHaveLength(1)
  })
})
