import { verifyWebhook } from '@bursar/client'

/** Where deliveries arrive that are passed on. */
interface Forwarder {
  /** Its address on this machine. */
  url: string
  /** From now on deliveries with a signature by this secret are passed on. */
  trust(secret: string): void
  stop(): Promise<void>
}

interface Settings {
  /** The program that gets the deliveries. */
  to: string
  port: number
  say: (line: string) => unknown
}

/** What of an answer goes back to the platform. */
const kept = ['content-type', 'retry-after']

/**
 * Listens on this machine, and passes verified deliveries on as they came: the same bytes under the same headers, so that
 * their signature stays valid. The program's answer is the answer.
 */
export function forwardWebhooks({ to, port, say }: Settings): Forwarder {
  let secret: string | null = null

  async function passOn(request: Request): Promise<Response> {
    const body = await request.bytes()
    const known = verified(secret, request.headers, body)
    if (!known) return new Response('The signature is not valid', { status: 400 })
    const headers = [...request.headers].filter(([name]) => name.startsWith('webhook-') || name === 'content-type')
    const answer = await fetch(to, { method: 'POST', headers, body, redirect: 'manual' }).catch(() => null)
    say(`${new Date().toISOString()}  ${known.event.type}  ${known.id}  ${answer?.status ?? `no answer from ${to}`}`)
    if (!answer) return new Response('The program does not answer', { status: 502 })
    const back = [...answer.headers].filter(([name]) => kept.includes(name))
    return new Response(answer.status === 204 ? null : await answer.bytes(), { status: answer.status, headers: back })
  }
  const server = Bun.serve({ hostname: '127.0.0.1', port, fetch: passOn })
  return {
    url: `http://127.0.0.1:${server.port}/`,
    trust(given) {
      secret = given
    },
    stop: () => server.stop(true),
  }
}

function verified(secret: string | null, headers: Headers, body: Uint8Array) {
  try {
    return secret === null ? null : verifyWebhook(secret, { headers, body })
  } catch {
    return null
  }
}
