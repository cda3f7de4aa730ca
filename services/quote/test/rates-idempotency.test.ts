import { afterEach, describe, expect, test } from 'bun:test'
import { refused } from './harness'
import { stored, type TestRates, table, testRates } from './rates-harness'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})
async function service(): Promise<TestRates> {
  const rates = await testRates()
  cleanUps.push(rates.close)
  return rates
}
const key = { 'idempotency-key': 'k-1' }

describe('a repeat of POST /rates with its idempotency key', () => {
  test.each(['idempotency-key', 'x-idempotency-key'])(
    '(%s) gets the same answer and stores no second rate',
    async (name) => {
      const rates = await service()
      const asset = await rates.asset({ code: 'FIX', staticValue: 3 })
      const first = await rates.rate('FIX', { [name]: 'k-1' })
      await rates.patch(`/assets/${asset.id}/static-value`, { staticValue: 4 })
      const second = await rates.rate('FIX', { [name]: 'k-1' })
      expect([first.status, second.status]).toEqual([201, 201])
      expect(second.body).toEqual(first.body)
      expect(first.headers.get('idempotent-replayed')).toBeNull()
      expect(second.headers.get('idempotent-replayed')).toBe('true')
      expect((await stored(rates)).rows).toHaveLength(1)
      expect(rates.valuations()).toHaveLength(1)
      expect((await rates.rate('FIX')).body.rate).toBe(4)
    },
  )

  test('and another body is 422', async () => {
    const rates = await service()
    await rates.rate('USDC', key)
    expect((await rates.rate('USDT', key)).status).toBe(422)
    expect((await stored(rates)).rows).toHaveLength(1)
  })

  test('before the broker has accepted the first is 409, never an answer that may be withdrawn', async () => {
    const rates = await service()
    const meanwhile: number[] = []
    rates.broker.take = async () => void meanwhile.push((await rates.rate('USDC', key)).status)
    expect((await rates.rate('USDC', key)).status).toBe(201)
    expect(meanwhile).toEqual([409])
    expect((await rates.rate('USDC', key)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('works again after a 500 or a 503', async () => {
    const rates = await service()
    rates.broker.take = () => Promise.reject(new Error('away'))
    expect(refused(await rates.rate('USDC', key), 500)).toBe('Failed to create rate')
    rates.broker.take = async () => {}
    const again = await rates.rate('USDC', key)
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotent-replayed')).toBeNull()
    expect((await stored(rates)).rows).toHaveLength(1)

    const other = { 'idempotency-key': 'k-2' }
    expect((await rates.rate('ABC', other)).status).toBe(503)
    await rates.provider('desk', table({ ABC: 5 }), { isDefault: true })
    expect((await rates.rate('ABC', other)).body.rate).toBe(5)
  })
})
