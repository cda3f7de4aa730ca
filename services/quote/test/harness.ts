import { join } from 'node:path'
import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { createClient, createIdentity, createMetrics, currentRequestId, plainHealth } from '@bursar/http'
import { openStore, startRelay } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { createApp } from '../src/app'
import { config as readConfig } from '../src/config'
import { createCredentials } from '../src/providers/credentials'
import { migrations } from '../src/service'

const base = 'http://localhost/v1'

/** An answer with its body read. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and says what it expects of it
  body: any
}

export interface TestQuote {
  /** Sends a request to a path below `/v1`; a body goes as JSON, a string as it is. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  put(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  del(path: string): Promise<Answer>
  /** Creates one and gives its body; fails the test when that is refused. */
  create(path: string, body: unknown): Promise<Answer['body']>
  /** Any URL, with no prefix added. */
  fetch(request: Request): Promise<Response>
  /** The SQLite file. */
  file: string
  credentials: ReturnType<typeof createCredentials>
  store: Awaited<ReturnType<typeof openStore>>
  close(): Promise<void>
}

/**
 * The real app on a real database in a folder of its own. `publish` stands for the broker; it takes everything unless
 * told otherwise.
 */
export async function testQuote(
  options: { env?: Record<string, string>; publish?: (events: Envelope[]) => Promise<void> } = {},
): Promise<TestQuote> {
  const dir = tempDir()
  const file = join(dir, 'quote.sqlite')
  const config = readConfig({ DATA_DIR: dir, ...options.env })
  const store = await openStore({ service: 'quote', file, migrations, requestId: currentRequestId })
  const relay = startRelay(store, { publish: options.publish ?? (async () => {}), log: silentLog })
  const credentials = createCredentials(Buffer.alloc(32, 7))
  const identity = createIdentity('quote', Buffer.alloc(32, 8))
  const app = createApp({
    store,
    relay,
    credentials,
    config,
    identity,
    client: createClient({ name: 'quote', identity, urls: config.urls }),
    log: silentLog,
    metrics: createMetrics('quote', 'test'),
    health: plainHealth('quote', 'test', { database: () => store.healthy() }),
    version: 'test',
    onFailure: () => {},
  })
  const send = async (request: Request) => await app.handle(request)
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(
      new Request(`${base}${path}`, {
        method,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
      }),
    ).then(read)
  return {
    ask,
    file,
    store,
    credentials,
    fetch: send,
    get: (path) => ask('GET', path),
    post: (path, body, headers) => ask('POST', path, body, headers),
    put: (path, body) => ask('PUT', path, body),
    patch: (path, body) => ask('PATCH', path, body),
    del: (path) => ask('DELETE', path),
    create: async (path, body) => {
      const answer = await ask('POST', path, body)
      if (answer.status !== 201)
        throw new Error(`POST ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer.body
    },
    close: () => store.close(),
  }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** The message of an error, after looking at the rest of its body (spec 1, Errors: Body shape). */
export function refused(answer: Answer, status: number): string | string[] {
  const { statusCode, error, message, timestamp, path } = answer.body
  if (answer.status !== status || statusCode !== status || typeof error !== 'string' || !timestamp || !path) {
    throw new Error(`Expected an error ${status}, got ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return message
}

/** A UUID that nothing has. */
export const nobody = '01a1fe8f-0000-7000-8000-000000000000'

/** What a UUID in a path that is none is answered with. */
export const notUuid = 'Validation failed (uuid is expected)'
