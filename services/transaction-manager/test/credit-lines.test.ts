import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CreditLine } from '@bursar/contracts/transaction-manager'
import { openLines } from '../src/credit-lines/credit-lines'
import { nobody, openService, refused, type TestTransactionManager } from './harness'
import { deposit, destinationAccount, through, transfer, withdrawal } from './requests'

let manager: TestTransactionManager
let other: { id: string; participantId: string }
beforeAll(async () => {
  manager = await openService()
  other = (await manager.party({ name: 'Other' })).bank
})
afterAll(() => manager.close())

/** A participant with a credit line of 1000 USD, or as given. */
async function withLine(limit = '1000') {
  const { pfi, bank } = await manager.party()
  await manager.creditLine(pfi.id, { currency: 'USD', limit })
  return { id: pfi.id, bank: bank.id, used: async () => (await manager.lineOf(pfi.id))?.used }
}

const asMain = () => manager.asService('main-api')
const put = async (id: string, body: unknown) => await manager.put(`/internal/credit-lines/${id}`, body, await asMain())

describe('PUT /internal/credit-lines/:participantId', () => {
  test('creates a line, and changes it', async () => {
    const { pfi } = await manager.party()
    const made = await put(pfi.id, { currency: 'usd', limit: '500.00', expiresAt: '2030-01-01T00:00:00Z' })
    const line = { participantId: pfi.id, currency: 'USD', limit: '500', used: '0', available: '500' }
    expect([made.status, made.body]).toEqual([200, { ...line, expiresAt: '2030-01-01T00:00:00.000Z' }])
    const kept = await put(pfi.id, { currency: 'USD', limit: '600' })
    expect(kept.body.expiresAt).toBe('2030-01-01T00:00:00.000Z')
    const endless = await put(pfi.id, { currency: 'USD', limit: '0', expiresAt: null })
    expect(endless.body).toEqual({ ...line, limit: '0', available: '0', expiresAt: null })
  })

  test.each([
    [{ currency: 'ZZZ', limit: '5' }, 'currency must be a currency code of ISO 4217, such as USD'],
    [
      { currency: 'USD', limit: '-5' },
      'limit must be a decimal number such as "12.50", without sign, exponent or spaces',
    ],
    [{ currency: 'USD', limit: '5.001' }, 'limit must have at most 2 decimals'],
    [{ currency: 'USD' }, 'limit should not be empty'],
    [{ currency: 'USD', limit: '5', expiresAt: 'soon' }, 'expiresAt must be a valid ISO 8601 date string or null'],
  ])('refuses %j', async (body, message) => {
    expect(refused(await put(nobody, body), 400).message).toBe(message)
  })

  test('refuses a limit below the used amount', async () => {
    const { id, bank } = await withLine()
    await withdrawal(manager, bank, { amount: '400.10' })
    expect(refused(await put(id, { currency: 'USD', limit: '400.09' }), 409).message).toBe(
      'limit must not be less than what is used: 400.1 USD',
    )
    expect((await put(id, { currency: 'USD', limit: '400.10' })).body.available).toBe('0')
  })
})

describe('GET /internal/credit-lines', () => {
  test('returns the lines of the given participants', async () => {
    const [one, two] = [await withLine('1'), await withLine('2')]
    await manager.creditLine(one.id, { currency: 'EUR', limit: '3' })
    const query = `participantIds=${two.id},${one.id.toUpperCase()},${nobody}`
    const { body } = await manager.get(`/internal/credit-lines?${query}`, await asMain())
    const shown = body.map(({ participantId, currency, limit }: Record<string, string>) => [
      participantId,
      currency,
      limit,
    ])
    expect(shown).toEqual([
      [one.id, 'EUR', '3'],
      [one.id, 'USD', '1'],
      [two.id, 'USD', '2'],
    ])
  })

  test('refuses an invalid list of ids', async () => {
    const ask = async (ids: string) => await manager.get(`/internal/credit-lines?participantIds=${ids}`, await asMain())
    expect((await ask('')).body).toEqual([])
    refused(await ask('x'), 400)
    refused(await ask(Array.from({ length: 101 }, () => Bun.randomUUIDv7()).join(',')), 400)
    refused(await manager.get('/internal/credit-lines', await asMain()), 400)
  })
})

describe('a credit line', () => {
  test('is reserved by a withdrawal and a transfer, and limits them', async () => {
    const { bank, used } = await withLine()
    await withdrawal(manager, bank, { amount: '400' })
    await transfer(manager, bank, other.id, { amount: '599.99' })
    expect(await used()).toBe('999.99')
    const over = { amount: '0.02', currency: 'USD' }
    const words = 'The credit line has 0.01 USD available, less than the amount'
    for (const [path, body] of [
      ['/withdrawal', { ...over, participantBankId: bank, destinationAccount }],
      ['/transfer', { ...over, fromParticipantBankId: bank, toParticipantBankId: other.id }],
    ] as const) {
      expect(refused(await manager.post(path, body), 409)).toEqual({ code: 'CONFLICT', message: words })
    }
    expect(await used()).toBe('999.99')
    await withdrawal(manager, bank, { amount: '0.01' })
    expect(await used()).toBe('1000')
  })

  test('is released by a payment that is rejected, cancelled or failed', async () => {
    const { bank, used } = await withLine()
    for (const statuses of [['REJECTED'], ['IN_REVIEW', 'CANCELLED'], ['APPROVED', 'PROCESSING', 'FAILED']]) {
      const { id } = await withdrawal(manager, bank, { amount: '1000' })
      expect(await used()).toBe('1000')
      await through(manager, '/withdrawal', id, ...statuses)
      expect(await used()).toBe('0')
    }
  })

  test('stays used by a payment that is completed, until money comes in', async () => {
    const { bank, used } = await withLine()
    const { id } = await transfer(manager, bank, other.id, { amount: '700' })
    await through(manager, '/transfer', id, 'APPROVED', 'PROCESSING', 'COMPLETED')
    expect(await used()).toBe('700')
    const tooMuch = { amount: '300.01', currency: 'USD', participantBankId: bank, destinationAccount }
    refused(await manager.post('/withdrawal', tooMuch), 409)
    const { reference } = await deposit(manager, bank, { amount: '300' })
    expect(await used()).toBe('700')
    await manager.put(`/deposit/${reference}`, { status: 'COMPLETED' })
    expect(await used()).toBe('400')
    const more = await deposit(manager, bank, { amount: '5000' })
    await manager.put(`/deposit/${more.reference}`, { status: 'COMPLETED' })
    expect(await used()).toBe('0')
  })

  test('is repaid by a transfer to its participant, and by a digital-obligation deposit', async () => {
    const { bank, used } = await withLine()
    const { id } = await withdrawal(manager, bank, { amount: '900' })
    await through(manager, '/withdrawal', id, 'APPROVED', 'PROCESSING', 'COMPLETED')
    const incoming = await transfer(manager, other.id, bank, { amount: '500' })
    await through(manager, '/transfer', incoming.id, 'APPROVED', 'PROCESSING', 'COMPLETED')
    expect(await used()).toBe('400')
    const digital = await manager.post('/do-deposit', { amount: '150', currency: 'USD', participantBankId: bank })
    await manager.put(`/do-deposit/${digital.body.data.reference}`, { status: 'COMPLETED' })
    expect(await used()).toBe('250')
  })

  test('keeps reserved amounts when money comes in', async () => {
    const { bank, used } = await withLine()
    const { id } = await withdrawal(manager, bank, { amount: '600' })
    const { reference } = await deposit(manager, bank, { amount: '1000' })
    await manager.put(`/deposit/${reference}`, { status: 'COMPLETED' })
    expect(await used()).toBe('600')
    await through(manager, '/withdrawal', id, 'REJECTED')
    expect(await used()).toBe('0')
  })

  test('that has expired allows nothing more, but is still repaid', async () => {
    const { id, bank, used } = await withLine()
    const payment = await withdrawal(manager, bank, { amount: '100' })
    await manager.creditLine(id, { currency: 'USD', limit: '1000', expiresAt: '2026-01-01T00:00:00Z' })
    const body = { amount: '1', currency: 'USD', participantBankId: bank, destinationAccount }
    expect(refused(await manager.post('/withdrawal', body), 409).message).toBe(
      'The credit line in USD expired at 2026-01-01T00:00:00.000Z',
    )
    await through(manager, '/withdrawal', payment.id, 'REJECTED')
    expect(await used()).toBe('0')
  })

  test('allows nothing from the moment of its expiry on', async () => {
    const { id: participantId } = await withLine()
    await manager.creditLine(participantId, { currency: 'USD', limit: '1000', expiresAt: '2030-01-01T00:00:00Z' })
    const reserveAt = (now: string) =>
      manager.store.commit(async (tx) => {
        const lines = await openLines(tx, [participantId])
        const isReserved = lines.reserve(
          { paymentId: nobody, participantId, currency: 'USD', amount: 100n },
          new Date(now),
        )
        await lines.write(tx, new Date(now))
        return isReserved
      })
    expect(await reserveAt('2029-12-31T23:59:59.999Z')).toBe(true)
    await expect(reserveAt('2030-01-01T00:00:00Z')).rejects.toThrow('The credit line in USD expired')
    expect((await manager.lineOf(participantId))?.used).toBe('1')
  })

  test('limits only its own currency', async () => {
    const { id } = await withLine('10')
    const euros = await manager.bank(id, { currency: 'EUR' })
    await withdrawal(manager, euros.id, { amount: '1000000', currency: 'EUR' })
    expect(await manager.lineOf(id)).toMatchObject({ currency: 'USD', used: '0' })
  })

  test('is not affected by earlier payments', async () => {
    const { pfi, bank } = await manager.party()
    const { id } = await withdrawal(manager, bank.id, { amount: '50' })
    await manager.creditLine(pfi.id, { currency: 'USD', limit: '10' })
    await through(manager, '/withdrawal', id, 'REJECTED')
    expect(await manager.lineOf(pfi.id)).toMatchObject({ used: '0', available: '10' })
  })

  test('is not overdrawn by concurrent payments', async () => {
    const { bank, used } = await withLine()
    const body = { amount: '300', currency: 'USD', participantBankId: bank, destinationAccount }
    const answers = await Promise.all(Array.from({ length: 12 }, () => manager.post('/withdrawal', body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
    expect(await used()).toBe('900')
  })
})

describe('GET /credit-lines', () => {
  test('lists the lines of all participants, of one, or after another', async () => {
    const own = await openService()
    const ids = Array.from({ length: 3 }, () => Bun.randomUUIDv7())
    for (const [at, id] of ids.entries()) {
      await own.creditLine(id, { currency: 'USD', limit: String(100 * (at + 1)) })
      if (at === 1) await own.creditLine(id, { currency: 'EUR', limit: '5' })
    }
    const read = async (query: string) => {
      const { status, body } = await own.get(`/credit-lines?${query}`)
      expect(status).toBe(200)
      return body.map((line: CreditLine) => `${ids.indexOf(line.participantId)} ${line.limit} ${line.currency}`)
    }
    expect(await read('')).toEqual(['0 100 USD', '1 5 EUR', '1 200 USD', '2 300 USD'])
    expect(await read(`after=${ids[1]}`)).toEqual(['2 300 USD'])
    expect(await read('limit=2')).toEqual(['0 100 USD', '1 5 EUR'])
    expect(await read(`after=${ids[1]}&afterCurrency=EUR`)).toEqual(['1 200 USD', '2 300 USD'])
    expect(await read(`after=${ids[1]}&afterCurrency=EUR&limit=1`)).toEqual(['1 200 USD'])
    expect(await read(`after=${ids[1]}&afterCurrency=USD`)).toEqual(['2 300 USD'])
    expect(await read(`participantId=${ids[1]?.toUpperCase()}`)).toEqual(['1 5 EUR', '1 200 USD'])
    for (const query of ['limit=0', 'limit=501', 'after=x', 'participantId=x', 'afterCurrency=usd']) {
      refused(await own.get(`/credit-lines?${query}`), 400)
    }
    await own.close()
  })
})
