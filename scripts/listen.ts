/** `bun run listen`: passes an institution's webhooks on to a program on this machine. */
import { parseArgs } from 'node:util'
import { forwardWebhooks } from './webhooks/forward'
import { carryOut, institution, institutionHelp, institutionOptions, UsageError } from './webhooks/institution'

const help = `Usage: bun run listen <url> --institution <id> [--events <types>]

Passes an institution's webhooks on to a program, http://127.0.0.1:3000/webhooks for instance, and prints a line for each. It
registers an endpoint of its own, which it deletes when it ends, and listens for it on 127.0.0.1. Deliveries go on as they came,
so that the program verifies them by the secret that is printed; its answer is the endpoint's answer.

The platform must reach this machine: one that runs here, with OUTBOUND_ALLOW=127.0.0.1; or another one through a tunnel to
--port, whose address is --public-url.

  --institution <id>   whose webhooks: the id of the participant
  --events <types>     types and patterns, separated by commas: payment.*,message.created (all)
  --port <n>           the port that it listens on (any that is free)
  --public-url <url>   how the platform reaches that port (http://127.0.0.1:<port>/)
${institutionHelp}

It ends at Ctrl-C.
`

async function listen(args: string[]): Promise<void> {
  const text = { type: 'string' } as const
  const options = { ...institutionOptions, institution: text, events: text, port: text, 'public-url': text }
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  if (values.help) return void process.stdout.write(help)
  const [to, ...more] = positionals
  if (!to || !URL.canParse(to) || more.length > 0)
    throw new UsageError('The address of the program is missing, or is none')
  if (!values.institution) throw new UsageError('--institution is missing: the id of the participant')
  if (!/^\d{1,5}$/.test(values.port ?? '0')) throw new UsageError(`--port is a number, not ${values.port}`)
  const bursar = institution(values.gateway)
  const say = (line: string) => process.stdout.write(`${line}\n`)
  const forwarder = forwardWebhooks({ to, port: Number(values.port ?? 0), say })
  try {
    const url = values['public-url'] ?? forwarder.url
    const { id, secret } = await bursar.post('/webhook/v1/webhooks/endpoints', {
      body: { participantId: values.institution, url, eventTypes: values.events?.split(',') ?? [] },
    })
    forwarder.trust(secret)
    say(`Webhooks go from ${url} to ${to}. Their secret: ${secret}`)
    await interrupted()
    await bursar.delete('/webhook/v1/webhooks/endpoints/{id}', { params: { path: { id } } })
    say('The endpoint is deleted')
  } finally {
    await forwarder.stop()
  }
}

const interrupted = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })

await carryOut('listen', listen)
