/** `bun run trigger`: sends the example of an event to an institution's webhook endpoints, as a test. */
import type { Bursar, WebhookType } from '@bursar/client'
import { takesEvent, webhookEvents } from '@bursar/contracts/webhook-events'
import { runCommand } from './stack/command'
import { usageError } from './stack/options'
import { institution, institutionHelp, institutionOptions } from './webhooks/institution'

const types = webhookEvents.map(({ type }) => type as WebhookType)

const help = `Usage: bun run trigger <type> [--endpoint <id>]

Sends the example of an event (docs/webhook-events.md) to the institution's endpoints that take its type, through the webhook
service: signed, tried again when it fails, and listed among the deliveries. Its body has "test": true, and nothing happens
on the platform. Waits for the first attempt, and says how it ended.

  --endpoint <id>      to this endpoint alone, whatever types it takes
${institutionHelp}

Types: ${types.join(', ')}
Exit code: 0 when every endpoint has answered with 2xx, else 1.
`

/** The endpoints that are sent to. */
async function receivers(
  bursar: Bursar,
  type: WebhookType,
  only: string | undefined,
): Promise<{ id: string; url: string }[]> {
  if (only !== undefined)
    return [await bursar.get('/webhook/v1/webhooks/endpoints/{id}', { params: { path: { id: only } } })]
  const found: { id: string; url: string }[] = []
  for await (const endpoint of bursar.list('/webhook/v1/webhooks/endpoints')) {
    const takes = endpoint.eventTypes.length === 0 || endpoint.eventTypes.some((each) => takesEvent(each, type))
    if (endpoint.status === 'active' && takes) found.push(endpoint)
  }
  if (found.length === 0) throw new Error(`No enabled endpoint takes ${type}: register one, or name one by --endpoint`)
  return found
}

/** Sends it, and waits for the first attempt. */
async function send(bursar: Bursar, type: WebhookType, { id, url }: { id: string; url: string }): Promise<boolean> {
  const params = { path: { id } }
  const { deliveryId } = await bursar.post('/webhook/v1/webhooks/endpoints/{id}/test', {
    params,
    body: { eventType: type },
  })
  for (;;) {
    const path = '/webhook/v1/webhooks/delivery/{deliveryId}'
    const { status, attemptCount, httpStatus, lastError } = await bursar.get(path, { params: { path: { deliveryId } } })
    const isSent = status === 'delivered'
    const end = isSent ? `answered with ${httpStatus}` : `failed: ${lastError ?? 'no reason is known'}`
    if (isSent || status === 'failed' || attemptCount > 0) {
      console.log(`${type} to ${url}: ${end} (delivery ${deliveryId})`)
      return isSent
    }
    await Bun.sleep(200)
  }
}

const options = { ...institutionOptions, endpoint: { type: 'string' } } as const

await runCommand({ name: 'trigger', help, options, takesWords: true }, async (values, [given, ...more]) => {
  const type = types.find((each) => each === given)
  if (type === undefined || more.length > 0) throw usageError('trigger', `${given ?? 'Nothing'} is not a type of event`)
  const bursar = institution('trigger', values.gateway)
  const outcomes: boolean[] = []
  for (const endpoint of await receivers(bursar, type, values.endpoint))
    outcomes.push(await send(bursar, type, endpoint))
  process.exitCode = outcomes.every(Boolean) ? 0 : 1
})
