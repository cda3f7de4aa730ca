// A caller that does not give up: it sends a request with its key until an answer comes, and now and then leaves before.
import type { ServiceName } from '@bursar/contracts/services'
import type { Random } from './random'

// biome-ignore lint/suspicious/noExplicitAny: the answers of sixteen services, of which each actor knows its own
type Body = any
export interface Answer {
  status: number
  body: Body
}

interface Sent {
  body?: object
  key?: string
  headers?: Record<string, string>
  /** The path as it is, without /v1. */
  isBare?: boolean
  /** How long an answer is waited for; then `unanswered`. */
  patienceMs?: number
}

export interface Client {
  send(method: 'GET' | 'POST' | 'PUT' | 'PATCH', service: ServiceName, path: string, sent?: Sent): Promise<Answer>
  /** How many answers of a hundred its caller does not wait for. */
  leaveEarly(percent: number): void
  counts: Record<string, number>
}

/** No answer but failures came: whether it acted is not known. */
export const unanswered = 599
const usualPatienceMs = 120_000

export function newClient(url: (service: ServiceName) => string, random: Random): Client {
  const counts: Record<string, number> = {}
  let early = 0
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1
  }

  async function once(target: string, init: RequestInit): Promise<Answer | null> {
    const leaves = early > 0 && random.chance(early)
    const signal = AbortSignal.timeout(leaves ? random.between(1, 40) : 15_000)
    try {
      const response = await fetch(target, { ...init, signal })
      return { status: response.status, body: await response.json() }
    } catch {
      count(leaves ? 'answers not waited for' : 'requests without an answer')
      return null
    }
  }
  return {
    counts,
    leaveEarly(percent) {
      early = percent / 100
    },
    async send(method, service, path, { body, key = crypto.randomUUID(), headers = {}, isBare, patienceMs } = {}) {
      const isRead = method === 'GET'
      const init: RequestInit = {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(!isRead && { 'idempotency-key': key }),
          ...headers,
        },
        body: body && JSON.stringify(body),
      }
      const end = performance.now() + (patienceMs ?? usualPatienceMs)
      for (;;) {
        const answer = await once(`${url(service)}${isBare ? '' : '/v1'}${path}`, init)
        const isUnderWay = answer?.status === 409 && /still being worked on/.test(JSON.stringify(answer.body))
        if (answer && answer.status < 500 && answer.status !== 429 && !isUnderWay) {
          count(`${service} ${answer.status}`)
          return answer
        }
        if (answer) count(`${service} ${answer.status}, sent again`)
        if (performance.now() > end) return answer ?? { status: unanswered, body: null }
        await Bun.sleep(150)
      }
    },
  }
}
