// Institutions that are paused, offboarded or deleted: decisions, Institutions that are PAUSED, OFFBOARDED or deleted.
import { describe, expect, test } from 'bun:test'
import { PfiChanged, type PfiStatus } from '@bursar/contracts/main-api'
import { ParticipantDeleted } from '@bursar/contracts/participant'
import { localServer, until } from '@bursar/testing'
import { endedWorkers } from '../src/institutions/institutions.consumer'
import { never, participantId, receiver, refused, testWebhooks, type Webhooks } from './harness'

let version = 0
const tell = (to: Webhooks, { name, type }: { name: string; type: string }, data: object) =>
  to.consume({
    id: Bun.randomUUIDv7(),
    name,
    type,
    timestamp: new Date().toISOString(),
    requestId: null,
    service: 'main-api',
    data: { ...data, epoch: 1, version: ++version },
  })
const pfiOf = (status: PfiStatus) => ({ id: participantId, name: 'Lakeside', country: 'US', status })
const setStatus = (to: Webhooks, status: PfiStatus) => tell(to, PfiChanged, pfiOf(status))
const participantOf = (deletedAt: string | null) => ({
  id: participantId,
  institutionName: 'Lakeside',
  omnibusAccountId: null,
  feePayerAccountId: null,
  deletedAt,
})
const setDeleted = (to: Webhooks) =>
  tell(to, ParticipantDeleted, { v: 1, ...participantOf('2026-01-31T12:00:00.000Z') })
const reason = 'institution offboarded or deleted'
const ended = { lastError: reason, status: 'failed' }

describe.each([
  ['OFFBOARDED', (to: Webhooks) => setStatus(to, 'OFFBOARDED')],
  ['deleted', setDeleted],
] as const)('of an institution that is %s', (_, end) => {
  test('a new event goes neither to an endpoint nor to the fallback URL; its record has the reason', async () => {
    const hooks = await testWebhooks()
    const to = receiver()
    await end(hooks)
    const fallback = await hooks.request({ fallbackUrl: to.url })
    expect(await hooks.reached(fallback, 'failed')).toMatchObject(ended)
    const { id } = await hooks.endpoint(to.url)
    const own = await hooks.request()
    expect(await hooks.reached(own, 'failed')).toMatchObject(ended)
    hooks.deliver()
    const other = await hooks.request({ participantId: Bun.randomUUIDv7(), fallbackUrl: to.url })
    await hooks.reached(other, 'delivered')
    expect(to.requests).toHaveLength(1)
    expect((await hooks.get(`/webhooks/endpoints/${id}`)).body).toMatchObject({ id, participantId })
  })

  test('waiting deliveries fail with the reason at once, even if the receiver is paused', async () => {
    const hooks = await testWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE: '1h' } })
    const busy = receiver(() => new Response('later', { status: 503, headers: { 'retry-after': '3600' } }))
    await hooks.endpoint(busy.url)
    hooks.deliver()
    const waiting = await hooks.request()
    await until(async () => (await hooks.status(waiting)).attemptCount === 1)
    const behind = await hooks.request()
    await end(hooks)
    for (const each of [waiting, behind]) expect(await hooks.reached(each, 'failed')).toMatchObject(ended)
    expect(busy.requests).toHaveLength(1)
  })

  test('deliveries to the fallback URL fail when they are due; those of others are sent', async () => {
    const hooks = await testWebhooks()
    const to = receiver()
    const own = await hooks.request({ fallbackUrl: to.url })
    const other = await hooks.request({ participantId: Bun.randomUUIDv7(), fallbackUrl: to.url })
    await end(hooks)
    hooks.deliver()
    await hooks.reached(other, 'delivered')
    expect(await hooks.reached(own, 'failed')).toMatchObject(ended)
    expect(to.requests).toHaveLength(1)
  })

  test('deliveries that were read before are not sent', async () => {
    const hooks = await testWebhooks()
    let answer = (_: Response) => {}
    const to = receiver(() => new Promise<Response>((resolve) => (answer = resolve)))
    await hooks.endpoint(to.url)
    const [first, second] = [await hooks.request(), await hooks.request()]
    hooks.deliver()
    await until(() => to.requests.length === 1)
    await end(hooks)
    answer(new Response('ok'))
    await hooks.reached(first, 'delivered')
    expect(await hooks.reached(second, 'failed')).toMatchObject(ended)
    expect(to.requests).toHaveLength(1)
  })

  test('nothing is replayed or tested', async () => {
    const hooks = await testWebhooks()
    const to = receiver()
    const { id } = await hooks.endpoint(to.url)
    await end(hooks)
    const requestId = await hooks.request()
    const { deliveryId } = await hooks.status(requestId)
    hooks.deliver()
    for (const path of [`/webhooks/delivery/${deliveryId}/replay`, `/webhooks/endpoints/${id}/test`]) {
      const [sentence] = refused(await hooks.post(path, {}), 409)
      expect(sentence).toContain('offboarded or deleted')
    }
    const all = await hooks.post('/webhooks/delivery/replay-failed', { since: '2020-01-01T00:00:00.000Z' })
    expect(all.body).toMatchObject({ count: 0 })
    expect(to.requests).toEqual([])
  })
})

test('a paused institution gets its deliveries; so does one that is active again, and the failed ones by a replay', async () => {
  const hooks = await testWebhooks()
  const to = receiver()
  await hooks.endpoint(to.url)
  hooks.deliver()
  await setStatus(hooks, 'PAUSED')
  await hooks.reached(await hooks.request(), 'delivered')
  await setStatus(hooks, 'OFFBOARDED')
  const missed = await hooks.request()
  const { deliveryId } = await hooks.reached(missed, 'failed')
  await setStatus(hooks, 'APPROVED')
  await hooks.reached(await hooks.request(), 'delivered')
  expect((await hooks.post(`/webhooks/delivery/${deliveryId}/replay`, {})).status).toBe(200)
  await hooks.reached(missed, 'delivered')
})

test('without an event the pull finds it, even if one of the two owners is unavailable', async () => {
  let page = { epoch: 1, items: [] as { version: number; record: object }[], more: false }
  const pfis = localServer(() => Response.json(page))
  const hooks = await testWebhooks({ urls: { 'main-api': pfis.url } })
  const to = receiver(never)
  await hooks.endpoint(to.url)
  const workers = endedWorkers(hooks.deps)
  const pull = async () => {
    for (const each of workers) await each.runNow()
  }
  await pull()
  page = { ...page, items: [{ version: 1, record: pfiOf('OFFBOARDED') }] }
  await pull()
  expect(await hooks.status(await hooks.request())).toMatchObject(ended)
  // The main API is restored to a state before.
  page = { epoch: 2, items: [], more: false }
  await pull()
  expect(await hooks.status(await hooks.request())).toMatchObject({ status: 'pending_retry' })
  for (const each of workers) await each.stop()
  await pfis.stop()
})
