import { asOfThisMachine } from '../request/peer-address'
import { hostInUrl } from '../settings/config'
import { fetchBySocket, socketOf } from './sockets'

// Services of one process (`start --all-in-one`, tests) call each other without a connection: about 2 µs of CPU a call
// instead of 16 to 23. Those of other processes of the machine are called over unix sockets. Everything else is as over TCP:
// the same headers, identity, edge, time limit.
type Handle = (request: Request) => Response | Promise<Response>

/** By origin: `http://127.0.0.1:4003`. */
const near = new Map<string, Handle>()

interface Place {
  host: string
  port: string
}

/**
 * From now on requests of this process to `host:port` are handled here. Returns a function that ends this: later
 * requests go to the port again, and it resolves when running ones are answered.
 */
export function answerInProcess(place: Place, handle: Handle): () => Promise<void> {
  const origins = originsOf(place)
  const open = new Set<Promise<Response>>()
  const counted = (request: Request) => {
    const answer = Promise.resolve(handle(asOfThisMachine(request))).finally(() => open.delete(answer))
    open.add(answer)
    return answer
  }
  for (const origin of origins) near.set(origin, counted)
  return async () => {
    for (const origin of origins) if (near.get(origin) === counted) near.delete(origin)
    await Promise.allSettled(open)
  }
}

/** A server that listens everywhere answers the loopback too. */
const originsOf = ({ host, port }: Place): string[] =>
  (host === '0.0.0.0' || host === '::' ? ['127.0.0.1', 'localhost'] : [host]).map(
    (name) => `http://${hostInUrl(name)}:${port}`,
  )

type Sent = BunFetchRequestInit & { signal: AbortSignal; headers?: Record<string, string> }

/** Methods that Bun sends a second time by itself if a kept connection breaks. */
const sentAgain = new Set(['PUT', 'DELETE'])

/**
 * `fetch` for requests to other services. A write is sent once: if its connection breaks, the caller must find out
 * whether it was carried out.
 */
export function fetchPeer(url: string, given: Sent): Promise<Response> {
  const init = sentAgain.has(given.method ?? 'GET') ? { ...given, keepalive: false } : given
  const origin = originOf(url)
  const handle = near.get(origin)
  if (handle) return unlessAborted(init.signal, handle(asReceived(url, init)))
  // A streamed body can be sent only once, so the socket is not tried.
  const file = init.body instanceof ReadableStream ? null : socketOf(origin)
  return file === null ? fetch(url, init) : fetchBySocket(url, init, { file, origin })
}

/** `http://127.0.0.1:4003/v1` → `http://127.0.0.1:4003` */
export const originOf = (url: string): string => {
  const end = url.indexOf('/', url.indexOf('//') + 2)
  return end < 0 ? url : url.slice(0, end)
}

/**
 * Bun's client adds the length; without it a service reads the body as if it came in chunks. Headers that are set
 * afterwards, and no options for a plain GET, take half the time of a request that is made of all of them.
 */
function asReceived(url: string, { method = 'GET', headers, body }: Sent): Request {
  const request = method === 'GET' && !body ? new Request(url) : new Request(url, { method, body })
  for (const name in headers) request.headers.set(name, headers[name] as string)
  if (typeof body === 'string') request.headers.set('content-length', String(Buffer.byteLength(body)))
  else if (body instanceof Uint8Array) request.headers.set('content-length', String(body.byteLength))
  return request
}

/** Rejects with the signal's reason when it is aborted first, as `fetch` does. */
export function unlessAborted<T>(signal: AbortSignal, work: Promise<T> | T): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', onAbort))
  })
}
