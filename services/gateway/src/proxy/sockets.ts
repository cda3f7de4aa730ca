import type { Restarts } from '@bursar/http'
import type { ServerWebSocket } from 'bun'
import { fail } from '../errors'

/** A WebSocket to a service, with the caller's socket. */
export interface Bridge {
  readonly upstream: WebSocket
  /** Messages from the service before the caller's socket was open. */
  readonly early: (string | Buffer)[]
  /** Null until it is open. */
  caller: ServerWebSocket<Bridge> | null
  readonly release: () => void
}

/** Turns the caller's request into a WebSocket; false when it cannot be one. */
export type Upgrade = (request: Request, bridge: Bridge) => boolean

/** The maximum unread data of a reader, as in the services themselves. */
const mostBufferedBytes = 1024 * 1024
const tooSlow = [1013, 'This reader is too slow: messages were dropped'] as const

export const wantsSocket = ({ headers }: Request): boolean => headers.get('upgrade')?.toLowerCase() === 'websocket'

interface Place {
  /** Of the service's instances. */
  addresses: readonly string[]
  path: string
  headers: Record<string, string>
  service: string
  timeoutMs: number
}

/**
 * A WebSocket to a service, once it is open at one of its instances. Fails: 502 when all of them refuse, 504 when one times
 * out.
 */
export async function openBridge(restarts: Restarts, place: Place, release: () => void): Promise<Bridge> {
  const endMs = performance.now() + place.timeoutMs
  for (const [tried, address] of restarts.inOrder(place.addresses).entries()) {
    try {
      return await openAt(address, place, { endMs, release })
    } catch (error) {
      if (tried + 1 === place.addresses.length || performance.now() >= endMs) throw error
    }
  }
  throw fail('SERVICE_UNAVAILABLE')
}

async function openAt(
  address: string,
  { path, headers, service }: Place,
  { endMs, release }: { endMs: number; release: () => void },
): Promise<Bridge> {
  const upstream = new WebSocket((address + path).replace(/^http/, 'ws'), { headers })
  upstream.binaryType = 'nodebuffer'
  const bridge: Bridge = { upstream, early: [], caller: null, release }
  upstream.onmessage = ({ data }) => toCaller(bridge, data as string | Buffer)
  await new Promise<void>((resolve, reject) => {
    const give = (code: Parameters<typeof fail>[0], message: string) => () => reject(fail(code, { message }))
    const late = setTimeout(() => {
      give('UPSTREAM_TIMEOUT', `The ${service} service did not answer in time`)()
      upstream.close()
    }, endMs - performance.now())
    upstream.onopen = () => resolve(clearTimeout(late))
    upstream.onclose = () => {
      clearTimeout(late)
      give('UPSTREAM_ERROR', `The ${service} service refused the WebSocket, or cannot be reached`)()
    }
  })
  upstream.onclose = ({ code, reason }) => {
    release()
    bridge.caller?.close(sendable(code), reason)
  }
  return bridge
}

/** Closes both sockets, because the caller's credentials are not valid any more. */
export function endBridge({ caller, upstream }: Bridge): void {
  caller?.close(1008, 'The credentials of this stream have ended')
  upstream.close()
}

function toCaller({ caller, early, upstream }: Bridge, message: string | Buffer): void {
  if (!caller) {
    early.push(message)
    return
  }
  caller.send(message)
  if (caller.getBufferedAmount() <= mostBufferedBytes) return
  caller.close(...tooSlow)
  upstream.close()
}

/** The server's handlers of callers' WebSockets. No compression: a small frame could unpack to a large one. */
export const socketHandlers = {
  maxPayloadLength: 64 * 1024,
  perMessageDeflate: false,
  backpressureLimit: 2 * mostBufferedBytes,
  closeOnBackpressureLimit: true,
  open(socket: ServerWebSocket<Bridge>) {
    const bridge = socket.data
    bridge.caller = socket
    for (const message of bridge.early.splice(0)) toCaller(bridge, message)
    // The service may have disconnected meanwhile.
    if (bridge.upstream.readyState !== WebSocket.OPEN) socket.close(1001)
  },
  message({ data: { upstream } }: ServerWebSocket<Bridge>, message: string | Buffer) {
    if (upstream.bufferedAmount > mostBufferedBytes) upstream.close()
    else upstream.send(message)
  },
  close({ data: { upstream, release } }: ServerWebSocket<Bridge>, code: number, reason: string) {
    release()
    upstream.close(sendable(code), reason)
  },
}

/** 1005, 1006 and 1015 are reserved for local use; they cannot be sent (RFC 6455, 7.4.1). */
const sendable = (code: number): number => (code >= 3000 || [1000, 1001, 1011, 1013].includes(code) ? code : 1000)
