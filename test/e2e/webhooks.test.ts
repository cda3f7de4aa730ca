import { expect, test } from 'bun:test'
import { localServer, until } from '@bursar/testing'
import { testPlatform } from '@bursar/testing/platform'
import { Webhook } from 'standardwebhooks'

test('a message reaches its recipient’s endpoint, signed, through a restart of both services and Redis', async () => {
  const receiver = localServer(() => new Response('ok'))
  const platform = await testPlatform(['message', 'webhook'], { OUTBOUND_ALLOW: '127.0.0.1' })
  try {
    const [messages, webhooks] = [platform.to('message'), platform.to('webhook')]
    const participantId = '018f2f3e-0000-7000-8000-0000000000aa'
    const { secret } = await webhooks.create('/webhooks/endpoints', { participantId, url: receiver.url })
    await platform.stop('webhook')
    await platform.redis.kill()
    const message = await messages.create('/messages', { type: 'TEXT', data: { text: 'Hello' }, participantId })
    // Its event waits in the message service's database, then in Redis, for the webhook service.
    await platform.stop('message')
    await platform.redis.restart()
    await platform.start('message')
    await platform.settle()
    await platform.redis.restart()
    await platform.start('webhook')
    await until(() => receiver.requests.length === 1, { what: 'the webhook' })
    const [request] = receiver.requests
    const verified = new Webhook(secret).verify(request?.body ?? '', Object.fromEntries(request?.headers ?? []))
    expect(verified).toEqual({ type: 'message.created', timestamp: message.createdAt, data: message })
    const delivered = async () => {
      const { body } = await webhooks.get(`/webhooks/delivery/status/${message.id}`)
      return body.status === 'delivered' && body
    }
    expect(await until(delivered)).toMatchObject({ requestId: message.id, webhookUrl: receiver.url, httpStatus: 200 })
    await platform.settle()
    expect(receiver.requests).toHaveLength(1)
  } finally {
    await platform.close()
    await receiver.stop()
  }
})
