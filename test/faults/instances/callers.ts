// A caller of the gateways that does not give up: it asks any of them again until it is answered, a write under its one key.
import { admin } from './deployment'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many services, of which each caller knows its own
  body: any
}

export interface Asking {
  method: 'GET' | 'POST'
  /** As the gateway has it: `/core/v1/transactions`. */
  path: string
  body?: object
  key?: string
}

export interface Callers {
  /** Until it is answered; null when nobody has answered in two minutes: it may have acted. */
  ask(asking: Asking): Promise<Answer | null>
  /** The same; throws for any answer but 200 and 201. */
  require(asking: Asking): Promise<Answer['body']>
  logIn(): Promise<void>
  /** How often a request was sent again, by why. */
  readonly again: Record<string, number>
  /** The longest that one of them took, with all its repeats. */
  longestMs(): number
}

const patienceMs = 120_000
const pauseMs = 200

export function callersOf(gateways: readonly string[]): Callers {
  const again: Record<string, number> = {}
  let longestMs = 0
  let token = ''
  let renewing: Promise<void> | null = null
  const pick = () => gateways[Math.floor(Math.random() * gateways.length)] as string
  const count = (why: string) => {
    again[why] = (again[why] ?? 0) + 1
  }

  async function logIn(): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(admin), signal: AbortSignal.timeout(60_000) }
    const answer = await fetch(`${pick()}/identity/v1/auth/login`, init)
    const { data } = (await answer.json()) as { data?: { accessToken: string } }
    if (!data) throw new Error(`The administrator could not log in: ${answer.status}`)
    token = data.accessToken
  }

  /** Null for no answer, and for one that says that it is to be asked again. */
  async function once({ method, path, body, key }: Asking): Promise<Answer | null> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(method === 'POST' && key && { 'idempotency-key': key }),
    }
    const init = { method, headers, body: body && JSON.stringify(body), signal: AbortSignal.timeout(35_000) }
    const answer = await fetch(`${pick()}${path}`, init)
      .then(
        async (response): Promise<Answer> => ({ status: response.status, body: await response.json() }),
        () => null,
      )
      .catch(() => null)
    if (answer === null) count('no answer')
    else if (answer.status === 401) {
      renewing ??= logIn().finally(() => {
        renewing = null
      })
      await renewing.catch(() => {})
    } else if (answer.status < 500 && answer.status !== 429 && !isUnderWay(answer)) return answer
    if (answer) count(String(answer.status))
    return null
  }

  async function ask(asking: Asking): Promise<Answer | null> {
    const sent = { key: crypto.randomUUID(), ...asking }
    const begun = performance.now()
    for (;;) {
      const answer = await once(sent)
      const tookMs = performance.now() - begun
      if (answer || tookMs > patienceMs) {
        longestMs = Math.max(longestMs, tookMs)
        return answer
      }
      await Bun.sleep(pauseMs)
    }
  }

  return {
    ask,
    logIn,
    again,
    longestMs: () => longestMs,
    async require(asking) {
      const answer = await ask(asking)
      if (answer && answer.status <= 201) return answer.body
      throw new Error(`${asking.method} ${asking.path}: ${JSON.stringify(answer)}`)
    },
  }
}

/** The first copy of the request is still worked on. */
const isUnderWay = ({ status, body }: Answer): boolean =>
  status === 409 && /still being worked on/.test(JSON.stringify(body))
