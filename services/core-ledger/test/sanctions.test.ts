import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Envelope } from '@bursar/contracts/event'
import { SanctionsJobCompleted } from '@bursar/contracts/sanctions'
import { type Ledger, openLedger } from './harness'
import { getTransaction, make, makeBench, outside, screen, withdrawalOf } from './steps'

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger({ env: { SCREENING: 'sanctions' } })
})
afterAll(() => ledger.close())

const pending = async (of = ledger) => (await make(of, 'withdrawal', withdrawalOf(await makeBench(of)))).id

/** The event with which the sanctions service ends a job. */
function ended(externalId: string, fields: Partial<SanctionsJobCompleted>): Envelope {
  const at = new Date().toISOString()
  const result = { address: outside, blockchain: 'ethereum', sanctioned: false, sources: [], checkedAt: at }
  const data: SanctionsJobCompleted = {
    v: 1,
    jobId: Bun.randomUUIDv7(),
    kind: 'ledger',
    externalId,
    participantId: null,
    status: 'completed',
    result,
    error: null,
    at,
    ...fields,
  }
  const { name, type } = SanctionsJobCompleted
  return { id: Bun.randomUUIDv7(), name, type, timestamp: at, requestId: null, service: 'sanctions', data }
}
const resultOf = (match: boolean) => ({
  address: outside,
  blockchain: 'ethereum',
  sanctioned: match,
  sources: [{ provider: 'ofac-sdn', match, details: { version: '2024-09-27' } }],
  checkedAt: '2024-09-30T12:00:00.000Z',
})

describe('with SCREENING=sanctions, the sanctions service’s verdict', () => {
  test('approves parties that are not sanctioned', async () => {
    const id = await pending()
    const event = ended(id, { result: resultOf(false) })
    await ledger.consume(event)
    await ledger.consume(event)
    expect(await getTransaction(ledger, id)).toMatchObject({
      status: 'APPROVED',
      screeningData: { reason: 'The counterparty is not sanctioned: ofac-sdn', result: resultOf(false) },
    })
  })

  test('freezes sanctioned parties, with the evidence', async () => {
    const id = await pending()
    const event = ended(id, { result: resultOf(true) })
    await ledger.consume(event)
    expect(await getTransaction(ledger, id)).toMatchObject({
      status: 'FROZEN',
      screeningData: { reason: 'The counterparty is sanctioned: ofac-sdn', result: resultOf(true) },
    })
  })

  test('freezes transactions that could not be screened', async () => {
    const id = await pending()
    await ledger.consume(ended(id, { status: 'failed', result: null, error: 'No address' }))
    const { status, screeningData } = await getTransaction(ledger, id)
    expect([status, screeningData]).toMatchObject(['FROZEN', { reason: 'No address', result: null }])
  })

  test('changes nothing once a person has given one', async () => {
    const id = await pending()
    await screen(ledger, id, false, { reason: 'mixer' })
    await ledger.consume(ended(id, { result: resultOf(false) }))
    expect(await getTransaction(ledger, id)).toMatchObject({ status: 'FROZEN', screeningData: { reason: 'mixer' } })
  })

  test('of another service’s job is ignored by the ledger', async () => {
    const id = await pending()
    await ledger.consume(ended(id, { kind: 'address', result: resultOf(false) }))
    expect((await getTransaction(ledger, id)).status).toBe('PENDING')
  })
})

test('a verdict on a transaction that a restore has removed is dropped and counted, and is not a dead letter', async () => {
  const event = ended(Bun.randomUUIDv7(), { result: resultOf(false) })
  await ledger.consume(event)
  await ledger.consume(event)
  const { body } = await ledger.ask('GET', '/metrics')
  expect(body).toMatch(/bursar_screenings_dropped\{service="core-ledger"\} 1/)
})

test('with SCREENING=external, verdicts of the sanctions service are ignored', async () => {
  const external = await openLedger()
  const id = await pending(external)
  await external.consume(ended(id, { result: resultOf(false) }))
  expect((await getTransaction(external, id)).status).toBe('PENDING')
  await external.close()
})
