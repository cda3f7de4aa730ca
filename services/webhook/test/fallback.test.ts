// What an institution sees of the deployment's own callback URL, and how long a receiver makes deliveries wait.
import { expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { receiver, testWebhooks } from './harness'

test('an institution sees of a shared fallback URL its origin, neither the rest, nor what was signed and answered', async () => {
  const hooks = await testWebhooks({
    env: { WEBHOOK_RETRY_SCHEDULE: '1h', WEBHOOK_FALLBACK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  const to = receiver(() => new Response('words of the operator', { status: 500 }))
  const { origin } = new URL(to.url)
  const fallbackUrl = `${origin}/hooks/T0KEN?key=secret`
  const participantId = Bun.randomUUIDv7()
  const requestId = await hooks.request({ participantId, fallbackUrl })
  hooks.deliver()
  await until(async () => (await hooks.status(requestId)).attemptCount === 1)
  const { deliveryId } = await hooks.status(requestId)
  const paths = [
    `/webhooks/delivery/status/${requestId}`,
    '/webhooks/delivery/pending-retries',
    `/webhooks/delivery/${deliveryId}`,
    `/webhooks/delivery/${deliveryId}/attempts`,
    '/webhooks/deliveries',
    `/webhooks/deliveries/${deliveryId}`,
  ]
  const asService = await hooks.asService('gateway')
  const search = `/internal/search?q=${deliveryId}`
  const own = await hooks.asParticipant(participantId)
  const seenBy = async (headers: Record<string, string>, searched: string) =>
    JSON.stringify([
      ...(await Promise.all(paths.map(async (path) => (await hooks.get(path, headers)).body))),
      (await hooks.get(searched, asService)).body,
      (await hooks.get(`/internal/search?q=${requestId}${searched.slice(search.length)}`, asService)).body,
      (await hooks.post(`/webhooks/delivery/${deliveryId}/replay`, undefined, headers)).body,
    ])
  const secrets = ['T0KEN', 'secret', 'words of the operator', 'v1,']
  const seen = await seenBy(own, `${search}&participantId=${participantId}`)
  expect(secrets.filter((word) => seen.includes(word))).toEqual([])
  // In each answer: that of the attempts has it once, as the others.
  expect(seen.split(origin)).toHaveLength(10)
  // Of its own endpoint it sees all.
  const { id } = await hooks.endpoint(`${origin}/own`, { participantId })
  const requested = await hooks.request({ participantId })
  await until(async () => (await hooks.status(requested)).attemptCount === 1)
  const { deliveryId: ownDelivery } = await hooks.status(requested)
  expect((await hooks.get(`/webhooks/deliveries/${ownDelivery}`, own)).body).toMatchObject({
    endpointId: id,
    webhookUrl: `${origin}/own`,
  })
  expect((await hooks.get(`/webhooks/delivery/${ownDelivery}/attempts`, own)).body).toMatchObject([
    {
      answer: 'words of the operator',
      request: { url: `${origin}/own`, headers: { 'webhook-signature': expect.stringMatching(/^v1,/) } },
    },
  ])
  const all = await seenBy(await hooks.as({ kind: 'user', roles: ['operator'] }), search)
  expect(secrets.filter((word) => all.includes(word))).toEqual(secrets)
})

test('a delivery waits as long as its receiver asks, whatever it answers', async () => {
  const hooks = await testWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE: '1s' } })
  const to = receiver(() => new Response(null, { status: 500, headers: { 'retry-after': '1800' } }))
  await hooks.endpoint(to.url)
  const requestId = await hooks.request()
  hooks.deliver()
  await until(async () => (await hooks.status(requestId)).attemptCount === 1)
  const { deliveryId } = await hooks.status(requestId)
  const { updatedAt, nextAttemptAt } = (await hooks.get(`/webhooks/deliveries/${deliveryId}`)).body
  expect(Date.parse(nextAttemptAt) - Date.parse(updatedAt)).toBe(1_800_000)
})
