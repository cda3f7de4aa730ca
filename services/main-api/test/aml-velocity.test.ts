import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { type Velocity, velocityOf } from '../src/payments/velocity'
import { newCustodian, newParticipant } from './bank-records'
import { nobody, openService, type TestMainApi } from './harness'
import { announce, announceTogether, party, payment } from './payment-events'
import { type Peers, startPeers } from './stand-ins'

const now = '2026-11-22T10:00:00.000Z'
let peers: Peers
let service: TestMainApi
let custodianBankId: string
beforeAll(async () => {
  peers = startPeers()
  service = await openService({ urls: { sanctions: peers.url }, now: fixedClock(now) })
  custodianBankId = await newCustodian(service)
})
afterAll(async () => {
  await service.close()
  await peers.server.stop()
})

/** The score of a payment of 1,250.50 USD, and the rules that it comes from. */
async function found(fields: object) {
  const { data } = await service.create('/aml-engine', {
    custodianBankId,
    transactionAmount: 1250.5,
    transactionCurrency: 'USD',
    customerData: { firstName: 'Ada', lastName: 'Lovett', dateOfBirth: '1985-04-12', nationality: 'GB' },
    ...fields,
  })
  return [data.score, ...data.reasons.map(({ rule, points }: { rule: string; points: number }) => `${rule} ${points}`)]
}

describe('velocity', () => {
  const ago = (ms: number) => new Date(Date.parse(now) - ms).toISOString()
  const dayMs = 24 * 60 * 60 * 1000
  /** A participant with its party, and so many payments of 1 USD a minute ago. */
  async function busy(count: number) {
    const id = await newParticipant(service)
    const self = party(custodianBankId, { participantId: id })
    const createdAt = ago(60_000)
    const some = Array.from({ length: count }, () => payment({ to: self, amount: '1', createdAt }))
    await announceTogether(service, some)
    return { participantId: id, self }
  }

  test('counts what the participant pays and receives in any currency, each once', async () => {
    const { participantId: id, self } = await busy(97)
    const createdAt = ago(1000)
    expect(await found({ participantId: id })).toEqual([0])
    await announce(
      service,
      payment({ type: 'WITHDRAWAL', from: self, createdAt, currency: 'EUR' }),
      payment({ type: 'TRANSFER', from: self, to: self, createdAt }),
    )
    expect(await found({ participantId: id })).toEqual([0])
    await announce(service, payment({ type: 'TRANSFER', from: self, to: party(nobody), createdAt, status: 'PENDING' }))
    expect(await found({ participantId: id })).toEqual([10, 'MANY_PAYMENTS 10'])
  })

  test('counts the last 24 hours, to the millisecond', async () => {
    const { participantId: id, self } = await busy(99)
    await announce(service, payment({ to: self, createdAt: ago(dayMs + 1) }))
    expect(await found({ participantId: id })).toEqual([0])
    await announce(service, payment({ to: self, createdAt: ago(dayMs) }))
    expect(await found({ participantId: id })).toEqual([10, 'MANY_PAYMENTS 10'])
  })

  test('of many checks at once each reads in a turn of its own: other requests are answered in between', async () => {
    const { participantId: id } = await busy(1)
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const velocity = () => velocityOf(service.store.read, id, 'USD', new Date(now))
    const found = await Promise.all(Array.from({ length: 40 }, velocity))
    isOver = true
    expect(found[0]).toEqual(found[39] as Velocity)
    // What it pays, and what it receives.
    expect(turns).toBeGreaterThanOrEqual(2 * 40)
  })

  test('payments that moved nothing do not count, nor do those that fail later', async () => {
    const { participantId: id, self } = await busy(99)
    const createdAt = ago(1000)
    for (const status of ['REJECTED', 'CANCELLED', 'FAILED'] as const) {
      await announce(service, payment({ to: self, createdAt, status, amount: '1000000' }))
    }
    expect(await found({ participantId: id })).toEqual([0])
    const late = payment({ to: self, createdAt, status: 'PENDING' })
    await announce(service, late)
    expect(await found({ participantId: id })).toEqual([10, 'MANY_PAYMENTS 10'])
    await announce(service, { ...late, status: 'FAILED' })
    expect(await found({ participantId: id })).toEqual([0])
  })

  test('adds up the amounts in the currency, this one among them, however many', async () => {
    const { participantId: id, self } = await busy(2001)
    const createdAt = ago(1000)
    // 2001 + 996748.50 + 1250.50 = 1,000,000: a hundred thresholds.
    await announce(service, payment({ from: self, createdAt, amount: '996748.49' }))
    expect(await found({ participantId: id })).toEqual([20, 'VERY_MANY_PAYMENTS 20'])
    await announce(service, payment({ from: self, createdAt, amount: '0.01' }))
    expect(await found({ participantId: id })).toEqual([35, 'VERY_MANY_PAYMENTS 20', 'HIGH_TURNOVER 15'])
    await announce(service, payment({ from: self, createdAt, amount: '9000000', currency: 'EUR' }))
    expect((await found({ participantId: id }))[0]).toBe(35)
    const euros = { participantId: id, transactionCurrency: 'EUR' }
    expect(await found(euros)).toEqual([35, 'VERY_MANY_PAYMENTS 20', 'HIGH_TURNOVER 15'])
  })
})
