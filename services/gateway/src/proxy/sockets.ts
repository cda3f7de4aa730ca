import type { ServerWebSocket } from 'bun'
import { fail } from '../errors'

/** A WebSocket to a service, and what belongs to it. */
export interface Bridge {
  readonly upstream: WebSocket
  /** What the service sent before the caller's own socket was open. */
  readonly early: (string | Buffer)[]
  /** Null until it is open. */
  caller: ServerWebSocket<Bridge> | null
  readonly release: () => void
}

/** Turns the caller's request into a WebSocket; false when it cannot be one. */
export type Upgrade = (request: Request, bridge: Bridge) => boolean

/** A reader that leaves more than this untaken is dropped, as the services themselves do. */
const mostBufferedBytes = 1024 * 1024
const tooSlow = [1013, 'This reader is too slow: messages were dropped'] as const

export const wantsSocket = ({ headers }: Request): boolean => headers.get('upgrade')?.toLowerCase() === 'websocket'

interface Place {
  url: string
  headers: Record<string, string>
  service: string
  timeoutMs: number
}

/** A WebSocket to a service, once it is open. Fails: 502 when the service refuses, 504 when it is late. */
export async function openBridge({ url, headers, service, timeoutMs }: Place, release: () => void): Promise<Bridge> {
  const upstream = new WebSocket(url.replace(/^http/, 'ws'), { headers })
  upstream.binaryType = 'nodebuffer'
  const bridge: Bridge = { upstream, early: [], caller: null, release }
  upstream.onmessage = ({ data }) => toCaller(bridge, data as string | Buffer)
  await new Promise<void>((resolve, reject) => {
    const give = (code: Parameters<typeof fail>[0], message: string) => () => reject(fail(code, { message }))
    const late = setTimeout(() => {
      give('UPSTREAM_TIMEOUT', `The ${service} service did not answer in time`)()
      upstream.close()
    }, timeoutMs)
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

/** Ends both of its sockets: the caller's credentials do not hold any more. */
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

/** What the gateway's server does about its callers' WebSockets. No compression: a small frame could be a large one. */
export const socketHandlers = {
  maxPayloadLength: 64 * 1024,
  perMessageDeflate: false,
  backpressureLimit: 2 * mostBufferedBytes,
  closeOnBackpressureLimit: true,
  open(socket: ServerWebSocket<Bridge>) {
    const bridge = socket.data
    bridge.caller = socket
    for (const message of bridge.early.splice(0)) toCaller(bridge, message)
    // The service may have gone in the meantime.
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

/** 1005, 1006 and 1015 say how a socket ended without a code; they cannot be sent (RFC 6455, 7.4.1). */
const sendable = (code: number): number => (code >= 3000 || [1000, 1001, 1011, 1013].includes(code) ? code : 1000)
