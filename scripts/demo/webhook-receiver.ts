import { Webhook } from 'standardwebhooks'

/** Like a participant's own server: takes deliveries, and keeps those with a valid signature. */
export interface WebhookReceiver {
  url: string
  /** Their signatures are verified with this secret from now on. */
  trust(secret: string): void
  /** The verified events, each once, in the order of their arrival. */
  events: { id: string; type: string; timestamp: string }[]
  /** Why others were refused. */
  refused: string[]
  stop(): Promise<void>
}

/** Listens on a free port of this machine. */
export function receiveWebhooks(): WebhookReceiver {
  const events: WebhookReceiver['events'] = []
  const taken = new Set<string>()
  const refused: string[] = []
  let webhook: Webhook | null = null
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      try {
        const body = await request.text()
        if (!webhook) throw new Error('It came before its secret was known')
        const event = webhook.verify(body, Object.fromEntries(request.headers)) as WebhookReceiver['events'][number]
        const id = request.headers.get('webhook-id') ?? ''
        // A delivery that was answered too late comes again.
        if (!taken.has(id)) events.push(event)
        taken.add(id)
        return new Response('ok')
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error))
        return new Response('The signature is not right', { status: 400 })
      }
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/`,
    trust(secret) {
      webhook = new Webhook(secret)
    },
    events,
    refused,
    stop: () => server.stop(true),
  }
}
