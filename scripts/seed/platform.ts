import type { ServiceName } from '@bursar/contracts/services'

/** The running services, and the line printed for each record. */
export interface Platform {
  urls: Readonly<Record<ServiceName, string>>
  say(line: string): void
}

interface Asked {
  body?: object
  headers?: Record<string, string>
}

/** An answer: its status, its JSON, and whether it is a replay of the first answer. */
export interface Answer<T> {
  status: number
  body: T
  isReplay: boolean
}

/** Calls a service; throws if it does not answer, or refuses with a status that is not in `taken`. */
export async function ask<T>(
  { urls }: Platform,
  service: ServiceName,
  route: `${'GET' | 'POST' | 'PUT'} /${string}`,
  { body, headers = {}, taken = [] }: Asked & { taken?: readonly number[] } = {},
): Promise<Answer<T>> {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(`${urls[service]}/v1${path}`, {
    method,
    headers: body ? { 'content-type': 'application/json', ...headers } : headers,
    body: body ? JSON.stringify(body) : undefined,
  }).catch(() => {
    throw new Error(`No ${service} service answers at ${urls[service]}; start all with scripts/start`)
  })
  const { status } = response
  const text = await response.text()
  if (!response.ok && !taken.includes(status))
    throw new Error(`${service}: ${route} was answered with ${status}: ${text}`)
  return { status, body: JSON.parse(text) as T, isReplay: response.headers.get('idempotent-replayed') === 'true' }
}

export const get = async <T>(platform: Platform, service: ServiceName, path: string, headers = {}): Promise<T> =>
  (await ask<T>(platform, service, `GET /${path}`, { headers })).body

/** Creates a record. With a key a repeat creates nothing: it is for records without a name for a look-up. */
export async function create<T>(
  platform: Platform,
  [service, path]: readonly [ServiceName, string],
  label: string,
  { key, ...asked }: Asked & { key?: string },
): Promise<T> {
  const headers: Record<string, string> = { ...asked.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) }
  const { status, body, isReplay } = await ask<T>(platform, service, `POST /${path}`, { ...asked, headers })
  platform.say(`${isReplay || status === 200 ? 'is there  ' : 'created   '} ${service}: ${label}`)
  return body
}

/** The id of a record that may be known; else it is created. */
export async function ensure(
  platform: Platform,
  [service, path]: readonly [ServiceName, string],
  label: string,
  known: { id: string } | undefined,
  asked: Asked,
): Promise<string> {
  if (!known) return (await create<{ id: string }>(platform, [service, path], label, asked)).id
  isThere(platform, service, label)
  return known.id
}

export const isThere = ({ say }: Platform, service: ServiceName, label: string) =>
  say(`is there   ${service}: ${label}`)

/** Polls every tenth of a second until there is a result; throws after two minutes. */
export async function soon<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const end = performance.now() + 120_000; performance.now() < end; await Bun.sleep(100)) {
    const found = await look()
    if (found !== undefined) return found
  }
  throw new Error(`${what} did not happen within two minutes; see the logs of the services, and try again`)
}
