import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { wasNotConnected } from './unreachable'

// Services that run as processes of one machine call each other over unix sockets: each has a file beside its port, in a folder
// that is theirs alone. The port stays for everybody else, and for them where there is no file.

/** The file of the service that listens on this port of the loopback. */
export const socketFile = (folder: string, port: string | number): string => join(folder, `${port}.sock`)

/** The longest path that the system takes for a socket. */
const mostPathBytes = 107

export const isTooLongForSocket = (file: string): boolean => Buffer.byteLength(file) > mostPathBytes

/** The folders in which this process looks for the socket files of other services. */
const folders = new Set<string>()

/** The way to a service: its socket file, or its port until the file is looked for again. */
interface Way {
  readonly file: string | null
  readonly untilMs: number
}

/** By origin, so that no request looks at the disk. */
const ways = new Map<string, Way>()

/** How long a missing file is remembered. */
const absentMs = 1000

/** From now on requests of this process look for files in this folder. */
export function callBySockets(folder: string): void {
  folders.add(folder)
  ways.clear()
}

/** The file of the service at this origin (`http://127.0.0.1:4003`); null for one that is called by its port. */
export function socketOf(origin: string): string | null {
  const known = ways.get(origin)
  if (known && (known.file !== null || performance.now() < known.untilMs)) return known.file
  const file = findFile(origin)
  ways.set(origin, { file, untilMs: performance.now() + absentMs })
  return file
}

function findFile(origin: string): string | null {
  const [, port] = /^http:\/\/(?:127\.0\.0\.1|localhost):(\d+)$/.exec(origin) ?? []
  if (port === undefined) return null
  return [...folders].map((folder) => socketFile(folder, port)).find(isOwnSocket) ?? null
}

/** Another user's socket is not trusted: requests name their callers. */
function isOwnSocket(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false })
  return found?.isSocket() === true && found.uid === process.geteuid?.()
}

/**
 * `fetch` by the socket file, or by the port if the socket cannot be connected to: that of a killed process, or one
 * whose connection queue is full. Nothing was sent then.
 */
export async function fetchBySocket(
  url: string,
  init: BunFetchRequestInit,
  { file, origin }: { file: string; origin: string },
): Promise<Response> {
  try {
    return await fetch(url, { ...init, unix: file })
  } catch (error) {
    if (!wasNotConnected(error)) throw error
    ways.set(origin, { file: null, untilMs: performance.now() + absentMs })
    return await fetch(url, init)
  }
}
