/** Who asks: a user by its token, a participant by its key, both, or nobody. */
export interface Credentials {
  token?: string
  apiKey?: string
}

interface Asked {
  body?: object
  /** A repeat with the same one acts once. */
  key?: string
}

type Route = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

/** Asks the platform as one caller, through the gateway. */
export interface Caller {
  /** The body of an answer of 2xx. Throws a sentence for every other one. */
  ask<T = unknown>(route: Route, asked?: Asked): Promise<T>
}

/** The longest Retry-After that a caller waits for. */
const mostPatienceSeconds = 20

/** A way to ask the gateway at this URL. */
export const callerAt =
  (gateway: string) =>
  ({ token, apiKey }: Credentials): Caller => ({
    async ask<T>(route: Route, { body, key }: Asked = {}) {
      const [method = '', path = ''] = route.split(' ')
      const headers: Record<string, string> = {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(apiKey && { 'x-api-key': apiKey }),
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      }
      const send = () => fetch(gateway + path, { method, headers, body: body && JSON.stringify(body) })
      const response = await patiently(send).catch((error: Error) => {
        throw new Error(
          `The gateway at ${gateway} does not answer ${route} (${error.message}); scripts/start starts all`,
        )
      })
      const text = await response.text()
      if (response.ok) return JSON.parse(text) as T
      throw new Error(`${route} was answered with ${response.status}: ${text}`)
    },
  })

/** Sends again after a 429, when that is soon. */
async function patiently(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send()
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    if (response.status !== 429 || !(seconds <= mostPatienceSeconds)) return response
    await Bun.sleep(seconds * 1000)
  }
}
