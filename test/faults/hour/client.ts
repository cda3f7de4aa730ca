import { count, type Journal } from './journal'

export interface Answer {
  status: number
  body: Record<string, unknown>
}

const underWay = 'still being worked on'

export interface Client {
  /** Sends a request, again and again with its key, until it gets an answer that is not a failure. */
  send(method: 'POST' | 'PUT', base: string, path: string, body: object, key?: string): Promise<Answer>
  /** Reads until there is an answer. */
  get<T>(base: string, path: string): Promise<T>
  /** Longest wait for an answer so far, in ms. */
  longestMs(): number
}

export function newClient({ answers, counts }: Journal): Client {
  let longest = 0
  async function untilAnswered(what: string, request: () => Promise<Response>): Promise<Answer> {
    const begun = performance.now()
    for (;;) {
      const answer = await request()
        .then(async (response) => ({ status: response.status, body: await response.json() }) as Answer)
        .catch(() => null)
      if (!answer) count(counts, 'requests without an answer, sent again')
      else if (answer.status >= 500) count(answers, `${what} ${answer.status}, sent again`)
      else if (answer.status === 409 && JSON.stringify(answer.body).includes(underWay))
        count(answers, `${what} 409 under way, sent again`)
      else {
        longest = Math.max(longest, performance.now() - begun)
        count(answers, `${what} ${answer.status}`)
        return answer
      }
      await Bun.sleep(250)
    }
  }
  const word = (path: string) => path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/\?.*/, '')
  return {
    longestMs: () => longest,
    send(method, base, path, body, key) {
      const headers: Record<string, string> = { 'content-type': 'application/json' }
      if (key !== undefined) headers['idempotency-key'] = key
      const text = JSON.stringify(body)
      return untilAnswered(`${method} ${word(path)}`, () =>
        fetch(`${base}/v1${path}`, { method, headers, body: text, signal: AbortSignal.timeout(15_000) }),
      )
    },
    async get<T>(base: string, path: string) {
      const { body } = await untilAnswered(`GET ${word(path)}`, () =>
        fetch(`${base}/v1${path}`, { signal: AbortSignal.timeout(60_000) }),
      )
      return body as T
    },
  }
}
