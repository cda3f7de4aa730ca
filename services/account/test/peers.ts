import { type LocalServer, localServer } from '@bursar/testing'

/** A path's answer: a value for 200, a status for an error, or a function for any other behaviour. */
export type PathAnswer = unknown | (() => Response | Promise<Response>)

/** A peer with a fixed answer for each path; any other path is 404, as with real peers. */
export interface Peer {
  server: LocalServer
  /** By `METHOD /path?query`. */
  answers: Map<string, PathAnswer>
  /** Makes every further request fail like this, until `null` is given. */
  fail(how: (() => Response | Promise<Response>) | null): void
}

export function startPeer(): Peer {
  const answers = new Map<string, PathAnswer>()
  let failing: (() => Response | Promise<Response>) | null = null
  const server = localServer((request) => {
    const { pathname, search } = new URL(request.url)
    if (failing) return failing()
    const answer = answers.get(`${request.method} ${decodeURIComponent(pathname)}${search}`)
    if (answer === undefined) return refusal(404)
    return typeof answer === 'function' ? answer() : Response.json(answer)
  })
  return {
    server,
    answers,
    fail: (how) => {
      failing = how
    },
  }
}

/** An error in the shape of the services. */
export const refusal = (status: number) => Response.json({ error: { code: 'X', message: 'said no' } }, { status })

/** The failures of a peer, each with the answer that the tested service's caller gets. */
export const failures = [
  ['502 when it fails', () => refusal(500), 502, 'UPSTREAM_ERROR'],
  ['502 when it breaks its contract', () => Response.json('odd'), 502, 'UPSTREAM_ERROR'],
  ['503 when it answers that a service behind it is unavailable', () => refusal(503), 503, 'SERVICE_UNAVAILABLE'],
  ['504 when a service behind it times out', () => refusal(504), 504, 'UPSTREAM_TIMEOUT'],
  ['504 when it times out itself', () => new Promise<Response>(() => {}), 504, 'UPSTREAM_TIMEOUT'],
] as const
