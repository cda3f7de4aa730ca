import { AppError } from '@bursar/http'
import { fail } from '../errors'

/** An unreliable node; `problem` follows `node 1`. */
export class WrongNodeError extends Error {
  override name = 'WrongNodeError'
  constructor(readonly problem: string) {
    super(`A node ${problem}`)
  }
}

/**
 * Converts a failure of a network's nodes to the caller's error: 504 when none answered in time, 503 when none can be
 * reached, 502 for errors and unreliable answers. URLs are never shown, since they may contain credentials.
 */
function nodeFailure(network: string, error: unknown): AppError {
  if (error instanceof AppError) return error
  const causes = causesOf(error)
  const cause = withoutUrls(error)
  const wrong = causes.find((cause) => cause instanceof WrongNodeError)
  if (wrong) return fail('UPSTREAM_ERROR', { message: `${network}: ${wrong.message}`, cause })
  if (causes.some(({ name }) => name === 'TimeoutError' || name === 'AbortError')) {
    return fail('UPSTREAM_TIMEOUT', { message: `No node of ${network} answered in time`, cause })
  }
  if (causes.some((cause) => isConnection(cause))) {
    return fail('SERVICE_UNAVAILABLE', { message: `No node of ${network} can be reached`, cause })
  }
  return fail('UPSTREAM_ERROR', { message: `A node of ${network} failed`, cause })
}

/** For the log: libraries' error messages contain the node's URL, which may contain credentials. */
function withoutUrls(error: unknown): Error {
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new Error(words.replaceAll(/https?:\/\/[^\s"']+/g, '(a node)').slice(0, 1000))
}

/** Runs a request to the nodes; a failure becomes an AppError. */
export const asking = async <T>(network: string, question: () => Promise<T>): Promise<T> =>
  question().catch((error: unknown) => {
    throw nodeFailure(network, error)
  })

const connectionCodes =
  /ECONNREFUSED|ECONNRESET|ConnectionRefused|ConnectionClosed|FailedToOpenSocket|ENOTFOUND|EHOSTUNREACH/

function isConnection(error: Error & { code?: unknown; status?: unknown }): boolean {
  if (typeof error.code === 'string' && connectionCodes.test(error.code)) return true
  return /Unable to connect|socket connection was closed|fetch failed/i.test(error.message)
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < 10; cause = cause.cause) causes.push(cause)
  return causes
}

/** The errors of a route when a network's nodes fail, besides its own. */
export const nodeFailures = (own: Readonly<Record<number, string>>): Record<number, string> => ({
  502: 'A node of the network failed, or is unreliable',
  503: 'No node of the network can be reached, or it has no RPC URL',
  504: 'No node of the network answered in time',
  ...own,
})
