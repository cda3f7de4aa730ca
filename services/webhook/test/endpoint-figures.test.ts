import { beforeAll, describe, expect, test } from 'bun:test'
import { insertAll } from '@bursar/store'
import { nobody } from '@bursar/testing/service'
import { deliveries } from '../src/deliveries/deliveries.table'
import { refused, type Webhooks } from './harness'
import { other, sixEvents } from './six-events'

let hooks: Webhooks
let good: { id: string }
let bad: { id: string }

beforeAll(async () => {
  ;({ hooks, good, bad } = await sixEvents())
})

describe('GET /webhooks/endpoints/:id/figures', () => {
  test('200 for the last day, or since a time', async () => {
    const { status, body } = await hooks.get(`/webhooks/endpoints/${bad.id}/figures`)
    expect([status, body]).toEqual([
      200,
      {
        endpointId: bad.id,
        since: '2026-01-30T12:06:00.000Z',
        deliveries: 2,
        isPartial: false,
        delivered: 0,
        failed: 2,
        pending: 0,
        lastSuccessAt: null,
        lastAttemptAt: expect.stringMatching(/^2026-01-31T12:03:00/),
        lastError: 'The receiver answered 500',
        failuresInRow: 4,
        pausedUntil: null,
      },
    ])
    const late = await hooks.get(`/webhooks/endpoints/${good.id}/figures?since=2026-01-31T12:03:00Z`)
    expect(late.body).toMatchObject({ deliveries: 1, delivered: 1, failed: 0, lastError: null, failuresInRow: 0 })
    expect(late.body.lastSuccessAt).toStartWith('2026-01-31T12:03:00')
  })

  test('404; 400', async () => {
    refused(await hooks.get(`/webhooks/endpoints/${nobody}/figures`), 404)
    refused(await hooks.get(`/webhooks/endpoints/${good.id}/figures`, await hooks.asParticipant(other)), 404)
    refused(await hooks.get(`/webhooks/endpoints/${good.id}/figures?since=x`), 400)
  })
})

describe('GET /webhooks/endpoints/figures', () => {
  const ofMany = (ids: readonly string[], more = '', headers?: Record<string, string>) =>
    hooks.get(`/webhooks/endpoints/figures?ids=${ids.join(',')}${more}`, headers)
  const ofOne = async (id: string, more = '') => (await hooks.get(`/webhooks/endpoints/${id}/figures?${more}`)).body

  test('200: of each what it has by itself, and of one without deliveries nothing', async () => {
    const idle = await hooks.endpoint('https://idle.example/hooks', { participantId: other })
    const { status, body } = await ofMany([bad.id, idle.id, nobody, good.id.toUpperCase()])
    expect(status).toBe(200)
    const byId = new Map(body.map((each: { endpointId: string }) => [each.endpointId, each]))
    expect(byId.size).toBe(3)
    for (const { id } of [bad, good, idle]) expect(byId.get(id)).toEqual(await ofOne(id))
    expect(byId.get(idle.id)).toMatchObject({ deliveries: 0, isPartial: false, lastAttemptAt: null, lastError: null })
    expect(byId.get(bad.id)).toMatchObject({ deliveries: 2, failed: 2, lastError: 'The receiver answered 500' })
  })

  test('200 since a time', async () => {
    const since = 'since=2026-01-31T12:03:00Z'
    expect((await ofMany([good.id], `&${since}`)).body).toEqual([await ofOne(good.id, since)])
    expect((await ofMany([good.id], `&${since}`)).body).toMatchObject([{ deliveries: 1 }])
  })

  test('200: a participant gets its own alone', async () => {
    const foreign = await hooks.endpoint('https://other.example/hooks', { participantId: other })
    const { body } = await ofMany([good.id, foreign.id], '', await hooks.asParticipant(other))
    expect(body).toMatchObject([{ endpointId: foreign.id }])
  })

  test('200: of each endpoint its newest thousand', async () => {
    const busy = await hooks.endpoint('https://busy.example/hooks', { participantId: other })
    const count = 1001
    await hooks.store.commit((tx) =>
      insertAll(deliveries)(
        tx,
        Array.from({ length: count }, (_, n) => delivery(n)),
      ),
    )
    function delivery(n: number): typeof deliveries.$inferSelect {
      const at = new Date(Date.parse('2026-01-31T10:00:00Z') + n)
      const isOldest = n === 0
      return {
        id: Bun.randomUUIDv7('hex', at),
        eventId: Bun.randomUUIDv7('hex', at),
        requestId: `busy-${n}`,
        eventType: 'payment.accepted',
        participantId: other,
        endpointId: busy.id,
        targetId: busy.id,
        url: 'https://busy.example/hooks',
        headers: null,
        body: '{}',
        status: isOldest ? 'failed' : 'delivered',
        attemptCount: 1,
        maxRetries: 5,
        lastError: isOldest ? 'Refused' : n === 1 ? 'Busy at first' : null,
        lastAttemptAt: at,
        successAt: isOldest ? null : at,
        failedAt: isOldest ? at : null,
        httpStatus: null,
        dueAt: null,
        createdAt: at,
        updatedAt: at,
      }
    }
    const newest = { deliveries: 1000, isPartial: true, delivered: 1000, failed: 0, lastError: 'Busy at first' }
    const { body } = await ofMany([good.id, busy.id])
    expect(body).toHaveLength(2)
    expect(body).toContainEqual(expect.objectContaining({ endpointId: busy.id, ...newest }))
    expect(body).toContainEqual(await ofOne(good.id))
  })

  test('400', async () => {
    refused(await hooks.get('/webhooks/endpoints/figures'), 400)
    refused(await ofMany(['x']), 400)
    refused(await ofMany([good.id], '&since=x'), 400)
    refused(await ofMany(Array.from({ length: 26 }, () => crypto.randomUUID())), 400)
  })
})
