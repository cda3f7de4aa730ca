/** `bun run listen`: passes an institution's webhooks on to a program on this machine. */
import type { Bursar } from '@bursar/client'
import { environment } from '@bursar/http/environment'
import { runCommand } from './stack/command'
import { usageError } from './stack/options'
import { forwardWebhooks } from './webhooks/forward'
import { institution, institutionHelp, institutionOptions } from './webhooks/institution'
import { pollDeliveries } from './webhooks/poll'

const help = `Usage: bun run listen <url> --institution <id> [--events <types>]
       bun run listen <url> --endpoint <id>

Passes an institution's webhooks on to a program, http://127.0.0.1:3000/webhooks for instance, and prints a line for each.

With --institution it registers an endpoint of its own, which it deletes when it ends, and listens for it on 127.0.0.1.
Deliveries go on as they came, so that the program verifies them by the secret that is printed; its answer is the endpoint's
answer. The platform must reach this machine: one that runs here, with OUTBOUND_ALLOW=127.0.0.1; or another one through a tunnel
to --port, whose address is --public-url.

With --endpoint it asks every second for the new deliveries of an endpoint that is registered already, and signs them anew by its
secret, WEBHOOK_SECRET: nothing has to reach this machine, and the program's answer changes nothing.

  --institution <id>   whose webhooks: the id of the participant
  --endpoint <id>      the endpoint whose deliveries are asked for
  --events <types>     types and patterns, separated by commas: payment.*,message.created (all)
  --port <n>           the port that it listens on (any that is free)
  --public-url <url>   how the platform reaches that port (http://127.0.0.1:<port>/)
${institutionHelp}

It ends at Ctrl-C.
`

const wrong = (sentence: string) => usageError('listen', sentence)

async function poll(bursar: Bursar, endpointId: string, to: string): Promise<void> {
  const env = environment()
  if (!env.WEBHOOK_SECRET) throw wrong('WEBHOOK_SECRET is missing: the secret of the endpoint')
  await bursar.get('/webhook/v1/webhooks/endpoints/{id}', { params: { path: { id: endpointId } } })
  const ending = new AbortController()
  const end = interrupted().then(() => ending.abort())
  const { signal } = ending
  await pollDeliveries({ bursar, endpointId, secret: env.WEBHOOK_SECRET, to, say: console.log, signal })
  await end
}

interface Receiving {
  body: { participantId: string; eventTypes: string[] }
  port: number
  publicUrl: string | undefined
}

async function receive(bursar: Bursar, to: string, { body, port, publicUrl }: Receiving): Promise<void> {
  const forwarder = forwardWebhooks({ to, port, say: console.log })
  try {
    const url = publicUrl ?? forwarder.url
    const { id, secret } = await bursar.post('/webhook/v1/webhooks/endpoints', { body: { ...body, url } })
    forwarder.trust(secret)
    console.log(`Webhooks go from ${url} to ${to}. Their secret: ${secret}`)
    await interrupted()
    await bursar.delete('/webhook/v1/webhooks/endpoints/{id}', { params: { path: { id } } })
    console.log('The endpoint is deleted')
  } finally {
    await forwarder.stop()
  }
}

const interrupted = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

const text = { type: 'string' } as const
const options = {
  ...institutionOptions,
  ...{ institution: text, endpoint: text, events: text, port: text, 'public-url': text },
}

await runCommand({ name: 'listen', help, options, takesWords: true }, async (values, [to, ...more]) => {
  if (!to || !URL.canParse(to) || more.length > 0) throw wrong('The address of the program is missing, or is none')
  if (!values.institution === !values.endpoint) throw wrong('Give --institution or --endpoint')
  if (!/^\d{1,5}$/.test(values.port ?? '0')) throw wrong(`--port is a number, not ${values.port}`)
  const bursar = institution('listen', values.gateway)
  if (values.endpoint) return await poll(bursar, values.endpoint, to)
  await receive(bursar, to, {
    body: { participantId: values.institution ?? '', eventTypes: values.events?.split(',') ?? [] },
    port: Number(values.port ?? 0),
    publicUrl: values['public-url'],
  })
})
