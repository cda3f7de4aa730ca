import { fixedClock, until } from '@bursar/testing'
import { receiver, testWebhooks } from './harness'

/** A participant without an endpoint. */
export const other = '018f2f3e-0000-7000-8000-0000000000bb'

/**
 * Six events, a minute apart from 2026-01-31T12:00: four go to `good`, two of them to `bad` too, which fails; the last two
 * are of another participant and go to nobody.
 */
export async function sixEvents() {
  const clock = fixedClock('2026-01-31T12:00:00.000Z')
  const hooks = await testWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE: '1ms' }, now: clock })
  const [to, broken] = [receiver(), receiver(() => new Response('no', { status: 500 }))]
  const good = await hooks.endpoint(`${to.url}/good`)
  const bad = await hooks.endpoint(`${broken.url}/bad`, { eventTypes: ['payment.cancelled'] })
  const requests: string[] = []
  const worker = hooks.deliver()
  for (let n = 0; n < 4; n++) {
    const requestId = await hooks.request({ eventType: n % 2 ? 'payment.cancelled' : 'payment.accepted' })
    requests.push(requestId)
    const ended = async () => (await hooks.status(requestId)).status !== 'pending_retry'
    await until(async () => {
      clock.advance(1)
      await worker.wake()
      return (await ended()) && (await hooks.get('/webhooks/deliveries?status=pending_retry')).body.count === 0
    })
    clock.set(`2026-01-31T12:0${n + 1}:00.000Z`)
  }
  for (let n = 0; n < 2; n++) {
    requests.push(
      await hooks.request({ eventType: 'payment.cancelled', participantId: other, requestId: `event-${n}.${other}` }),
    )
    clock.advance(60_000)
  }
  return { hooks, good, bad, requests }
}
