import { chmodSync, lstatSync, rmSync } from 'node:fs'
import type { Log } from '@bursar/contracts/log'
import { isTooLongForSocket, socketFile } from '../peers/sockets'
import { codeOf } from '../peers/unreachable'
import { asOfThisMachine } from '../request/peer-address'
import { connectionLimits } from './connection-limits'

type Handle = (request: Request) => Response | Promise<Response>

interface Place {
  host: string
  port: string
}

/** Hosts on which a service also answers at 127.0.0.1, the address by which callers look for its file. */
const reached = new Set(['127.0.0.1', 'localhost', '0.0.0.0', '::'])

/**
 * Opens the unix socket of the service on this port, for callers of the same user on this machine. Null if that is
 * impossible: then it is called by its port. Never replaces the file of a running service.
 */
export async function openSocket(
  folder: string,
  { host, port }: Place,
  handle: Handle,
  log: Log,
): Promise<Pick<Bun.Server<undefined>, 'stop'> | null> {
  const file = socketFile(folder, port)
  if (!reached.has(host)) return null
  if (isTooLongForSocket(file)) {
    log.debug({ file }, 'no socket: its path is too long')
    return null
  }
  try {
    if (await isTaken(file)) {
      log.warn({ file }, 'no socket: another process answers there')
      return null
    }
    return serve(file, handle)
  } catch (err) {
    log.warn({ err, file }, 'no socket: the service is called by its port')
    return null
  }
}

/** Bun's types have no idle timeout for a socket; its server has. */
const limits: Pick<typeof connectionLimits, 'maxRequestBodySize'> = connectionLimits

/** Whether a process listens there. The file of a killed one is removed. */
async function isTaken(file: string): Promise<boolean> {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isSocket()) return false
  const code = await Bun.connect({ unix: file, socket: { data() {}, open: (socket) => void socket.end() } }).then(
    () => '',
    codeOf,
  )
  if (code !== 'ECONNREFUSED') return true
  rmSync(file)
  return false
}

function serve(file: string, handle: Handle) {
  const server = Bun.serve({
    unix: file,
    ...limits,
    development: false,
    fetch(request) {
      // Only the server of the port can open WebSockets; HTTP lets a server ignore the wish.
      if (request.headers.has('upgrade')) request.headers.delete('upgrade')
      return handle(asOfThisMachine(request))
    },
  })
  try {
    // Nobody could connect before: the folder is closed to others.
    chmodSync(file, 0o600)
    return server
  } catch (error) {
    void server.stop(true)
    throw error
  }
}
