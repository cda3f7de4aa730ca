import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { phasesOf } from '../src/movements/phases'
import { transactionById } from '../src/movements/read-transactions'
import { type Ledger, openLedger } from './harness'
import {
  balanceOf,
  complete,
  depositOf,
  getTransaction,
  make,
  makeBench,
  screen,
  trackerLines,
  withdrawalOf,
} from './steps'

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

const path = '/transactions/complete-screening'
const nowhere = '00000000-0000-7000-8000-000000000000'
const pending = async (of = ledger) => (await make(of, 'withdrawal', withdrawalOf(await makeBench(of)))).id

describe('POST /transactions/complete-screening', () => {
  test('approved: 200 {enqueued: true}, APPROVED, with its data', async () => {
    const id = await pending()
    const data = { score: 12, provider: 'x', flags: ['a'], nested: { reason: null } }
    const { status, body } = await screen(ledger, id, true, data)
    expect([status, body]).toEqual([200, { enqueued: true }])
    expect(await getTransaction(ledger, id)).toMatchObject({ status: 'APPROVED', screeningData: data })
  })

  test('not approved: 200 {}, FROZEN, and the amount stays held', async () => {
    const bench = await makeBench(ledger, '3')
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench))
    const { status, body } = await screen(ledger, id, false, { reason: 'mixer' })
    expect([status, body]).toEqual([200, {}])
    expect(await getTransaction(ledger, id)).toMatchObject({ status: 'FROZEN', screeningData: { reason: 'mixer' } })
    expect(await balanceOf(ledger, bench)).toEqual(['2', '1', '3'])
  })

  test('the same verdict again: 200 as before, whatever came of it since', async () => {
    const id = await pending()
    await screen(ledger, id, true, { score: 1 })
    expect((await screen(ledger, id, true, { score: 2 })).body).toEqual({ enqueued: true })
    await complete(ledger, id)
    expect((await screen(ledger, id, true)).body).toEqual({ enqueued: true })
    expect(await getTransaction(ledger, id)).toMatchObject({ status: 'COMPLETED', screeningData: { score: 1 } })
    const frozen = await pending()
    await screen(ledger, frozen, false)
    expect((await screen(ledger, frozen, false)).body).toEqual({})
  })

  test('the contrary verdict: 400', async () => {
    const id = await pending()
    await screen(ledger, id, false)
    const { status, body } = await screen(ledger, id, true)
    expect([status, body.message]).toEqual([400, `Transaction ${id} is FROZEN, its screening not passed`])
    const other = await pending()
    await screen(ledger, other, true)
    expect((await screen(ledger, other, false)).body.message).toBe(
      `Transaction ${other} is APPROVED, its screening passed`,
    )
  })

  test('of concurrent contrary verdicts one wins', async () => {
    const id = await pending()
    const all = await Promise.all(Array.from({ length: 10 }, (_, i) => screen(ledger, id, i % 2 === 0)))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(5)
    expect((await getTransaction(ledger, id)).status).toBe('APPROVED')
  })

  test('400 names the fields that are wrong', async () => {
    const { status, body } = await ledger.ask('POST', path, { id: 'x', isApproved: 'yes', screeningData: [] })
    expect(status).toBe(400)
    expect(body.message).toEqual([
      'id must be a UUID',
      'isApproved must be a boolean',
      'screeningData must be an object or null',
    ])
    expect((await ledger.ask('POST', path, {})).status).toBe(400)
  })

  test('400 for screeningData over 32 KiB; up to that it is kept', async () => {
    const dataOf = (bytes: number) => ({ note: 'x'.repeat(bytes - '{"note":""}'.length) })
    const id = await pending()
    const verdict = (bytes: number) => ledger.ask('POST', path, { id, isApproved: false, screeningData: dataOf(bytes) })
    const { status, body } = await verdict(32 * 1024 + 1)
    expect([status, body.message]).toEqual([400, ['screeningData must be at most 32 KiB of JSON or null']])
    expect((await verdict(32 * 1024)).status).toBe(200)
  })

  test('404 names the transaction', async () => {
    const { status, body } = await screen(ledger, nowhere, true)
    expect([status, body.message]).toEqual([404, `Transaction ${nowhere} not found`])
  })

  test('its phases are kept', async () => {
    const id = await pending()
    const phases = async () => phasesOf(await transactionById(ledger.store.read, id))
    const short = async () => (await phases()).map(({ name, status }) => `${name} ${status}`)
    expect(await short()).toEqual(['created COMPLETED', 'screening IN_PROGRESS'])
    await screen(ledger, id, false, { reason: 'mixer' })
    expect(await short()).toEqual(['created COMPLETED', 'screening FAILED', 'review IN_PROGRESS'])
    expect((await phases())[1]).toMatchObject({ detail: 'mixer', completedAt: expect.any(String) })
    await ledger.ask('POST', `/transactions/${id}/approve-frozen-withdrawal`)
    expect((await short()).slice(2)).toEqual(['review COMPLETED', 'execution IN_PROGRESS'])
    await complete(ledger, id, '0xhash')
    expect((await short()).slice(2)).toEqual(['review COMPLETED', 'execution COMPLETED', 'confirmation COMPLETED'])
    expect((await getTransaction(ledger, id)).txHash).toBe('0xhash')
  })

  test('each step has a line in the tracker', async () => {
    const bench = await makeBench(ledger, '0')
    const { id } = await make(ledger, 'deposit', depositOf(bench))
    await screen(ledger, id, true)
    await complete(ledger, id)
    const own = (await trackerLines(ledger)).filter(({ metadata }) => metadata.transaction_id === id)
    expect(own.map((line) => `${line.event_type} ${line.metadata.action}`)).toEqual([
      'TRANSACTION_CREATED created',
      'TRANSACTION_CREATED screening_approved',
      'TRANSACTION_COMPLETED completed',
    ])
  })
})

describe('with SCREENING_SECRET', () => {
  const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
  const open = () => openLedger({ env: { SCREENING_SECRET: secret } })
  const signed = (text: string, at = new Date()) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, text),
  })

  test('200 with a valid signature over the very body', async () => {
    const own = await open()
    const text = `{ "id": "${await pendingUnscreened(own)}",  "isApproved": true }`
    expect((await own.ask('POST', path, text, signed(text))).body).toEqual({ enqueued: true })
    await own.close()
  })

  test('401 without one, with another, with an old one; also for a body that is wrong', async () => {
    const own = await open()
    const text = JSON.stringify({ id: await pendingUnscreened(own), isApproved: true })
    const old = new Date(Date.now() - 3_600_000)
    for (const headers of [{}, signed(`${text} `), signed(text, old)]) {
      expect((await own.ask('POST', path, text, headers)).status).toBe(401)
    }
    expect((await own.ask('POST', path, {})).status).toBe(401)
    await own.close()
  })
})

/** A deposit needs no balance, and so no screening before it. */
const pendingUnscreened = async (of: Ledger) => (await make(of, 'deposit', depositOf(await makeBench(of, '0')))).id

describe('with SCREENING_ALLOW', () => {
  test('403 from any other address', async () => {
    const own = await openLedger({ env: { SCREENING_ALLOW: '192.0.2.7, 10.0.0.0/8 2001:db8::/32' } })
    const body = { id: await pendingUnscreened(own), isApproved: true }
    const from = (address: string) => own.ask('POST', path, body, { 'x-forwarded-for': address })
    expect((await from('192.0.2.8')).status).toBe(403)
    expect((await from('10.1.2.3, 192.0.2.8')).status).toBe(403)
    expect((await own.ask('POST', path, body)).status).toBe(403)
    expect((await from('192.0.2.8, 10.1.2.3')).status).toBe(200)
    expect((await from('192.0.2.7')).status).toBe(200)
    expect((await from('2001:db8::1')).status).toBe(200)
    await own.close()
  })
})
