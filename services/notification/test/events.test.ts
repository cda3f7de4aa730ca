import { describe, expect, test } from 'bun:test'
import type { TransactionState } from '@bursar/contracts/core-ledger'
import { PaymentCreated, type PaymentState } from '@bursar/contracts/transaction-manager'
import { fixedClock } from '@bursar/testing'
import { envelopeOf, openService, party, payer, paymentState, receiver, refused } from './harness'

const noon = '2026-01-31T12:00:00.000Z'
const at = (ms: number) => new Date(Date.parse(noon) + ms).toISOString()

describe('GET /events?transactionId=', () => {
  test('the events of one transaction; a participant sees only its own transactions', async () => {
    const service = await openService({ now: fixedClock(noon) })
    const id = await service.payment()
    await service.payment()
    for (const status of ['IN_REVIEW', 'APPROVED'] as const) {
      await service.payment({ id, status, previous: status === 'APPROVED' ? 'IN_REVIEW' : 'PENDING' })
    }
    const list = async (query: string, headers?: Record<string, string>) => {
      const { body } = await service.get(`/events?transactionId=${query}`, headers)
      const statuses = body.data.map(({ data }: { data: { status: string } }) => data.status)
      return [statuses, body.pageInfo.total]
    }
    expect(await list(id.toUpperCase())).toEqual([['PENDING', 'IN_REVIEW', 'APPROVED'], 3])
    expect(await list(`${id}&limit=1&offset=1`)).toEqual([['IN_REVIEW'], 3])
    expect(await list(`${id}&type=payment.accepted`)).toEqual([['APPROVED'], 1])
    expect(await list(`${id}&since=${at(0)}`)).toEqual([['IN_REVIEW', 'APPROVED'], 2])
    expect(await list(payer)).toEqual([[], 0])
    for (const participant of [payer, receiver]) {
      const own = await service.asParticipant(participant)
      expect(await list(id, own)).toEqual([['PENDING', 'IN_REVIEW', 'APPROVED'], 3])
    }
    expect(await list(id, await service.asParticipant('018f2f3e-0000-7000-8000-00000000dead'))).toEqual([[], 0])
    refused(await service.get('/events?transactionId=x'), 400)
  })
})

describe('an event', () => {
  test('tells a payment’s new state, and when it was recorded', async () => {
    const service = await openService({ now: fixedClock(noon) })
    const transactionId = await service.payment()
    const { status, body } = await service.get('/events')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: 'payment.created',
          timestamp: noon,
          data: {
            transactionId,
            type: 'TRANSFER',
            status: 'PENDING',
            amount: '12.50',
            currency: 'USD',
            fromParticipant: payer,
            toParticipant: receiver,
          },
        },
      ],
      pageInfo: { limit: 20, offset: 0, total: 1 },
    })
  })

  test.each([
    ['PENDING', 'IN_REVIEW', 'transaction.status_updated'],
    ['IN_REVIEW', 'APPROVED', 'payment.accepted'],
    ['IN_REVIEW', 'REJECTED', 'payment.rejected'],
    ['APPROVED', 'PROCESSING', 'transaction.status_updated'],
    ['PROCESSING', 'COMPLETED', 'payment.executed'],
    ['APPROVED', 'CANCELLED', 'payment.cancelled'],
    ['PROCESSING', 'FAILED', 'transaction.status_updated'],
  ] as const)('of a payment that changed from %s to %s is a %s', async (previous, status, type) => {
    const service = await openService()
    await service.payment({ previous, status })
    expect((await service.get('/events')).body.data).toMatchObject([{ type, data: { status } }])
  })

  test('of a deposit names the payee, one of a withdrawal the payer', async () => {
    const service = await openService()
    await service.payment({ type: 'DEPOSIT', from: null })
    await service.payment({ type: 'WITHDRAWAL', to: null })
    const { data } = (await service.get('/events')).body
    expect(data[0].data).toMatchObject({ type: 'DEPOSIT', fromParticipant: null, toParticipant: receiver })
    expect(data[1].data).toMatchObject({ type: 'WITHDRAWAL', fromParticipant: payer, toParticipant: null })
  })

  test.each<[Partial<TransactionState>, string | null, string | null]>([
    [{ type: 'DEPOSIT', participantId: receiver }, null, receiver],
    [{ type: 'WITHDRAWAL', participantId: payer }, payer, null],
    [{ type: 'TRANSFER', participantId: payer }, payer, null],
    [{ type: 'TRANSFER', participantId: payer, toParticipantId: receiver }, payer, receiver],
    [{ type: 'TRANSFER', participantId: null, toParticipantId: receiver.toUpperCase() }, null, receiver],
    [{ type: 'DEPOSIT', from: null, status: 'PENDING' }, null, null],
    [{ type: 'WITHDRAWAL', participantId: payer.toUpperCase() }, payer, null],
    [{ type: 'WITHDRAWAL', participantId: 'any\ntext' }, null, null],
  ])('of the core ledger is a status update: %j', async (state, fromParticipant, toParticipant) => {
    const service = await openService()
    const transactionId = await service.transaction(state)
    const { type, status, amount } = { status: 'FROZEN', amount: '0.000001', ...state }
    const data = { transactionId, type, status, amount, currency: 'USDC', fromParticipant, toParticipant }
    expect((await service.get('/events')).body.data).toMatchObject([{ type: 'transaction.status_updated', data }])
  })

  test('of a withdrawal that returns a deposit names the deposit, of any other none', async () => {
    const service = await openService()
    const returns = Bun.randomUUIDv7()
    await service.transaction({ type: 'WITHDRAWAL', participantId: payer, returns })
    await service.transaction({ type: 'WITHDRAWAL', participantId: payer })
    const [back, other] = (await service.get('/events')).body.data
    expect(back.data).toMatchObject({ type: 'WITHDRAWAL', fromParticipant: payer, returns })
    expect(other.data).not.toHaveProperty('returns')
  })

  test('delivered twice by the bus is recorded once', async () => {
    const service = await openService()
    const envelope = envelopeOf(PaymentCreated, paymentState())
    await service.consume(envelope)
    await service.consume(envelope)
    expect((await service.get('/events')).body.pageInfo.total).toBe(1)
    expect(await service.events()).toHaveLength(2)
  })
})

describe('timestamps', () => {
  const timestamps = async (service: Awaited<ReturnType<typeof openService>>) =>
    (await service.get('/events')).body.data.map(({ timestamp }: { timestamp: string }) => timestamp)

  test('are a millisecond apart when events come faster than the clock ticks', async () => {
    const service = await openService({ now: fixedClock(noon) })
    await Promise.all([service.payment(), service.payment(), service.payment()])
    expect(await timestamps(service)).toEqual([at(0), at(1), at(2)])
  })

  test('continue while the clock is stepped back, until it has caught up', async () => {
    const clock = fixedClock(noon)
    const service = await openService({ now: clock })
    await service.payment()
    clock.advance(-60_000)
    await service.payment()
    clock.advance(60_001)
    await service.payment()
    clock.advance(10)
    await service.payment()
    expect(await timestamps(service)).toEqual([at(0), at(1), at(2), at(11)])
  })

  test('give the order of the ids', async () => {
    const clock = fixedClock(noon)
    const service = await openService({ now: clock })
    for (const step of [5, -60_000, 1, 0, 70_000]) {
      clock.advance(step)
      await service.payment()
    }
    const ids = (await service.get('/events')).body.data.map(({ id }: { id: string }) => id)
    expect(ids.toSorted()).toEqual(ids)
  })
})

describe('GET /events', () => {
  test('returns a page of the oldest events, and their total', async () => {
    const service = await openService()
    const ids: string[] = []
    for (let i = 0; i < 23; i++) ids.push(await service.payment())
    const page = async (query: string) => {
      const { data, pageInfo } = (await service.get(`/events${query}`)).body
      return [data.map((event: { data: { transactionId: string } }) => event.data.transactionId), pageInfo]
    }
    expect(await page('')).toEqual([ids.slice(0, 20), { limit: 20, offset: 0, total: 23 }])
    expect(await page('?offset=20')).toEqual([ids.slice(20), { limit: 20, offset: 20, total: 23 }])
    expect(await page('?limit=2&offset=3')).toEqual([ids.slice(3, 5), { limit: 2, offset: 3, total: 23 }])
    expect(await page('?limit=0')).toEqual([[], { limit: 0, offset: 0, total: 23 }])
    expect(await page('?limit=100&offset=23')).toEqual([[], { limit: 100, offset: 23, total: 23 }])
  })

  test('returns the events after `since`, in any time zone and precision, also for a time in the future', async () => {
    const service = await openService({ now: fixedClock(noon) })
    for (let i = 0; i < 3; i++) await service.payment()
    const after = async (since: string) => {
      const { data, pageInfo } = (await service.get(`/events?since=${encodeURIComponent(since)}`)).body
      expect(pageInfo.total).toBe(data.length)
      return data.map(({ timestamp }: { timestamp: string }) => timestamp)
    }
    expect(await after('2026-01-31')).toEqual([at(0), at(1), at(2)])
    expect(await after(noon)).toEqual([at(1), at(2)])
    expect(await after('2026-01-31T13:00:00.001+01:00')).toEqual([at(2)])
    expect(await after('2026-01-31T12:00:00.0009Z')).toEqual([at(1), at(2)])
    expect(await after(at(2))).toEqual([])
    expect(await after('9999-12-31')).toEqual([])
    expect(await after('0001-01-01')).toEqual([at(0), at(1), at(2)])
  })

  test('returns one type, with its own total', async () => {
    const service = await openService({ now: fixedClock(noon) })
    await service.payment()
    await service.payment({ previous: 'PENDING', status: 'APPROVED' })
    await service.payment()
    const { data, pageInfo } = (await service.get(`/events?type=payment.created&since=${noon}`)).body
    expect(data).toMatchObject([{ type: 'payment.created', timestamp: at(2) }])
    expect(pageInfo.total).toBe(1)
    expect((await service.get('/events?type=payment.rejected')).body.data).toEqual([])
  })

  test.each([
    ['since=yesterday', 'since', 'INVALID_DATE_FORMAT'],
    ['since=2026-02-30', 'since', 'INVALID_DATE_FORMAT'],
    ['since=', 'since', 'INVALID_DATE_FORMAT'],
    ['type=payment.lost', 'type', 'INVALID_REQUEST'],
    ['limit=101', 'limit', 'INVALID_REQUEST'],
    ['limit=-1', 'limit', 'INVALID_REQUEST'],
    ['limit=ten', 'limit', 'INVALID_REQUEST'],
    ['offset=-1', 'offset', 'INVALID_REQUEST'],
    ['offset=100001', 'offset', 'INVALID_REQUEST'],
  ])('refuses %s', async (query, field, code) => {
    const service = await openService()
    const refusal = refused(await service.get(`/events?${query}`), 400)
    expect(refusal.code).toBe(code)
    expect(refusal.details).toMatchObject([{ field }])
  })
})

describe('a participant', () => {
  test('gets its own events, and their total', async () => {
    const service = await openService()
    const both = await service.payment()
    const paid = await service.payment({ to: party('018f2f3e-0000-7000-8000-0000000000ee') })
    const received = await service.transaction({ type: 'DEPOSIT', participantId: receiver })
    await service.transaction()
    const seen = async (headers: Record<string, string>, query = '') => {
      const { data, pageInfo } = (await service.get(`/events${query}`, headers)).body
      expect(pageInfo.total).toBe(data.length)
      return data.map((event: { data: { transactionId: string } }) => event.data.transactionId)
    }
    expect(await seen(await service.asParticipant(payer))).toEqual([both, paid])
    expect(await seen(await service.asParticipant(receiver))).toEqual([both, received])
    const user = { kind: 'user', participantId: receiver } as const
    expect(await seen(await service.as(user), '?type=transaction.status_updated')).toEqual([received])
    expect(await seen(await service.asParticipant('somebody-else'))).toEqual([])
    for (const headers of [{}, await service.as({ kind: 'user' }), await service.asService('main-api')]) {
      expect(await seen(headers)).toHaveLength(4)
    }
  })

  test('that pays itself gets the event once', async () => {
    const service = await openService()
    await service.payment({ to: party(payer) })
    const { body } = await service.get('/events', await service.asParticipant(payer))
    expect(body).toMatchObject({ data: [{}], pageInfo: { total: 1 } })
    expect(await service.events()).toHaveLength(1)
  })

  test('whose identity is forged gets nothing', async () => {
    const service = await openService()
    expect(refused(await service.get('/events', { 'x-identity': 'forged' }), 401).code).toBe('UNAUTHORIZED')
  })
})

describe('webhook endpoints', () => {
  const partial: Partial<PaymentState> = { previous: 'PENDING', status: 'APPROVED' }

  test('are sent the event as it is polled, each participant’s with its own request id', async () => {
    const service = await openService()
    await service.payment(partial)
    const [event] = (await service.get('/events')).body.data
    const requests = (await service.events()).map(({ name, data }) => [name, data])
    const request = (participantId: string) => [
      'webhook.delivery.requested',
      {
        v: 1,
        requestId: `${event.id}.${participantId}`,
        eventType: 'payment.accepted',
        participantId,
        endpointsOnly: true,
        fallbackUrl: null,
        headers: null,
        payload: event,
      },
    ]
    expect(requests).toEqual([request(payer), request(receiver)])
  })

  test('are sent nothing where no participant is known', async () => {
    const service = await openService()
    await service.transaction()
    expect(await service.events()).toEqual([])
  })
})
