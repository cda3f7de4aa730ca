import { mock, spyOn } from 'bun:test'
import { renameSync } from 'node:fs'
import { type Log, silentLog } from '@bursar/contracts/log'
import { freePort, tempDir } from '@bursar/testing'
import { fetchPeer } from '../src'
import { openSocket } from '../src/edge/open-socket'
import { callBySockets, socketFile } from '../src/peers/sockets'

type Handle = (request: Request) => Response | Promise<Response>
/** What a test ends with. */
export const ends: (() => unknown)[] = []

export async function endAll(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()))
  mock.restore()
}

export const never = new AbortController().signal

export interface Place {
  folder: string
  port: number
  url: string
  file: string
  /** Requests that came by the port. */
  byPort: string[]
}

/** A port whose answers say so, and a folder for sockets that requests of this process look into. */
export async function place(folder = tempDir()): Promise<Place> {
  const byPort: string[] = []
  const port = await freePort()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port,
    reusePort: false,
    async fetch(request) {
      byPort.push(`${request.method} ${await request.text()}`)
      return new Response('by the port')
    },
  })
  ends.push(() => server.stop(true))
  callBySockets(folder)
  return { folder, port, url: `http://127.0.0.1:${port}`, file: socketFile(folder, port), byPort }
}

export const bySocket: Handle = () => new Response('by the socket')

export async function open(
  { folder, port }: Place,
  handle: Handle = bySocket,
  host = '127.0.0.1',
  log: Log = silentLog,
) {
  const socket = await openSocket(folder, { host, port: String(port) }, handle, log)
  if (socket) ends.push(() => socket.stop(true))
  return socket
}

export const wordsOf = async (url: string) => await (await fetchPeer(url, { signal: never })).text()

/** What a killed process leaves: a file at which nobody listens. */
export function leaveStale(file: string): void {
  const server = Bun.serve({ unix: `${file}.other`, fetch: bySocket })
  renameSync(`${file}.other`, file)
  void server.stop(true)
}

/** The clock of the process is at this moment. */
export const at = (ms: number) => spyOn(performance, 'now').mockReturnValue(ms)
