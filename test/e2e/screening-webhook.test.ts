// A sanctions job until its webhook is accepted: the real participant, sanctions and webhook services, a real Redis and a
// real HTTP receiver. Sanctions, webhook and Redis go down and come back at each step.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type LocalServer, localServer, type SeenRequest, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { Webhook } from 'standardwebhooks'

const listed = '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h'
const clean = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
const apiKey = 'sk_test_bank'

const unavailable = () => new Response('', { status: 503 })
/** What the receiver accepted, oldest first. */
const accepted: SeenRequest[] = []
const accept = async (request: Request) => {
  accepted.push({ method: request.method, path: '', headers: request.headers, body: await request.text() })
  return new Response('ok')
}

let receiver: LocalServer
let chainalysis: LocalServer
let platform: TestPlatform
let secret = ''

beforeAll(async () => {
  receiver = localServer(unavailable)
  chainalysis = localServer(unavailable)
  platform = await testPlatform(['participant', 'sanctions', 'webhook'], {
    OUTBOUND_ALLOW: '127.0.0.1',
    CHAINALYSIS_URL: chainalysis.url,
    CHAINALYSIS_API_KEY: 'key',
    WEBHOOK_RETRY_SCHEDULE: Array(50).fill('500ms').join(),
  })
  const bank = { institutionName: 'Bank', authConsumerId: apiKey, customers: [] }
  const { id: participantId } = await platform.to('participant').create('/participants', bank)
  const register = (endpoint: object) => platform.to('webhook').create('/webhooks/endpoints', endpoint)
  secret = (await register({ participantId, url: `${receiver.url}/bank` })).secret
  await register({ participantId: 'somebody-else', url: `${receiver.url}/else` })
})
afterAll(async () => {
  await platform.close()
  await receiver.stop()
  await chainalysis.stop()
})

async function verifyAddress(externalId: string, address: string, callbackHeaders: object): Promise<string> {
  const job = { externalId, address, blockchain: 'bitcoin', callbackHeaders }
  const path = '/sanctions/verify-address'
  const { status, body } = await platform.to('sanctions').post(path, job, { 'x-api-key': apiKey })
  expect([status, body]).toEqual([202, { jobId: expect.any(String), externalId, status: 'pending' }])
  return body.jobId
}
const jobOf = async (id: string) =>
  (await platform.to('sanctions').get(`/sanctions/jobs/${id}`, { 'x-api-key': apiKey })).body
const deliveryOf = async (id: string) => (await platform.to('webhook').get(`/webhooks/delivery/status/${id}`)).body

const eachOf = (ids: string[], what: string, holds: (id: string) => Promise<boolean>) =>
  until(async () => (await Promise.all(ids.map(holds))).every(Boolean), { what })

/** The deliveries that were accepted for a job, their signatures verified. */
const acceptedFor = (jobId: string) =>
  accepted
    .map(({ headers, body }) => ({ headers, payload: new Webhook(secret).verify(body, Object.fromEntries(headers)) }))
    .filter(({ payload }) => (payload as { data: { jobId: string } }).data.jobId === jobId)

test('a job ends as one verified webhook, through restarts of sanctions, webhook and Redis at each step', async () => {
  // The jobs are pending: a source cannot be asked. The second one is made without Redis.
  const forged = { 'Webhook-Id': 'forged', 'webhook-signature': 'v1,forged', 'Content-Type': 'text/plain' }
  const first = await verifyAddress('payment-1', listed, { Authorization: 'Bearer one', ...forged })
  await platform.redis.kill()
  const second = await verifyAddress('payment-2', clean, { 'X-Tenant': 'two' })
  const ids = [first, second]
  await eachOf(ids, 'an attempt of each job', async (id) => (await jobOf(id)).attempts > 0)
  // Both at once: each waits 2 s for the Redis that is away.
  await Promise.all([platform.stop('webhook'), platform.stop('sanctions')])
  chainalysis.answer(() => Response.json({ identifications: [] }))

  // Their results are found while the events about them can go nowhere.
  await platform.start('sanctions')
  await eachOf(ids, 'the results', async (id) => (await jobOf(id)).status === 'completed')
  await platform.stop('sanctions')
  await platform.redis.restart()

  // The events wait in Redis for the webhook service.
  await platform.start('sanctions')
  await platform.settle()
  await platform.stop('sanctions')
  await platform.redis.restart()
  expect(receiver.requests).toEqual([])

  // The deliveries are pending: the receiver refuses them.
  await platform.start('webhook')
  await eachOf(ids, 'a refusal of each delivery', async (id) => (await deliveryOf(id)).attemptCount > 0)
  expect((await deliveryOf(first)).status).toBe('pending_retry')
  await platform.stop('webhook')
  await platform.redis.restart()

  // A delivery is under way: the receiver does not answer.
  receiver.answer(() => new Promise<Response>(() => {}))
  const refused = receiver.requests.length
  await platform.start('webhook')
  await until(() => receiver.requests.length > refused, { what: 'another attempt' })
  await platform.stop('webhook')
  receiver.answer(accept)
  await platform.start('sanctions')
  await platform.start('webhook')
  // Sooner than the lease ends (31 s): a service that stops gives it back.
  const isDelivered = async (id: string) => (await deliveryOf(id)).status === 'delivered'
  await eachOf(ids, 'both deliveries', isDelivered)

  // Nothing is left that another restart would bring out again.
  await Promise.all([platform.stop('sanctions'), platform.stop('webhook')])
  await platform.redis.restart()
  await Promise.all([platform.start('sanctions'), platform.start('webhook')])
  await platform.settle()

  for (const [id, externalId, address] of [
    [first, 'payment-1', listed],
    [second, 'payment-2', clean],
  ] as const) {
    const [delivery, ...more] = acceptedFor(id)
    expect(more).toEqual([])
    const { result, updatedAt } = await jobOf(id)
    expect(result).toMatchObject({ address, blockchain: 'bitcoin', sanctioned: address === listed })
    expect(delivery?.payload).toEqual({
      type: 'sanctions.completed',
      timestamp: updatedAt,
      data: { jobId: id, externalId, status: 'completed', result },
    })
    const record = await deliveryOf(id)
    expect(record).toMatchObject({
      requestId: id,
      deliveryId: delivery?.headers.get('webhook-id'),
      status: 'delivered',
      httpStatus: 200,
      lastError: null,
      webhookUrl: `${receiver.url}/bank`,
    })
    expect(record.attemptCount).toBeGreaterThan(1)
  }
  expect(accepted).toHaveLength(2)
  const sent = (name: string) => ids.map((id) => acceptedFor(id)[0]?.headers.get(name))
  expect(sent('authorization')).toEqual(['Bearer one', null])
  expect(sent('x-tenant')).toEqual([null, 'two'])
  expect(sent('content-type')).toEqual(['application/json', 'application/json'])
  expect(receiver.requests.filter(({ path }) => path !== '/bank')).toEqual([])
})
