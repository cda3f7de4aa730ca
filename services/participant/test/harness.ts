import { join } from 'node:path'
import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { type ServiceName, services } from '@bursar/contracts/services'
import {
  type Caller,
  createClient,
  createIdentity,
  createMetrics,
  currentRequestId,
  identityHeader,
  plainHealth,
} from '@bursar/http'
import { openStore, startRelay } from '@bursar/store'
import { tempDir, until } from '@bursar/testing'
import { accountListeners } from '../src/accounts/accounts.consumer'
import { createApiKeys } from '../src/api-keys/api-keys'
import { createApp } from '../src/app'
import { customerListeners } from '../src/customers/customers.consumer'
import { type SagaTuning, startSagas } from '../src/sagas/sagas'
import { migrations } from '../src/service'

const secret = Buffer.alloc(32, 5)

/** An answer with its body read. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and says what it expects of it
  body: any
}

export type TestParticipants = Awaited<ReturnType<typeof testParticipants>>

/**
 * The real app on a real database. `urls` says where its peers are; the others cannot be reached. With the `file` of one
 * that was closed it starts again where that ended.
 */
export async function testParticipants(
  urls: Partial<Record<ServiceName, string>> = {},
  options: { file?: string; tuning?: Partial<SagaTuning> } = {},
) {
  const { file = join(tempDir(), 'participant.sqlite') } = options
  const store = await openStore({ service: 'participant', file, migrations, requestId: currentRequestId })
  const published: Envelope[] = []
  const relay = startRelay(store, {
    publish: async (events) => {
      published.push(...events)
    },
    log: silentLog,
  })
  const identity = createIdentity('participant', secret)
  const nowhere = Object.fromEntries(Object.keys(services).map((name) => [name, 'http://127.0.0.1:9'])) as Record<
    ServiceName,
    string
  >
  const client = createClient({ name: 'participant', identity, urls: { ...nowhere, ...urls }, timeoutMs: 300 })
  const app = createApp({
    store,
    relay,
    identity,
    client,
    apiKeys: createApiKeys(Buffer.alloc(32, 7)),
    sagas: startSagas({ store, client, log: silentLog }, { retryMs: 20, longestRetryMs: 100, ...options.tuning }),
    log: silentLog,
    metrics: createMetrics('participant', 'test'),
    health: plainHealth('participant', 'test', { database: () => store.healthy() }),
    version: 'test',
    onFailure: () => {},
  })
  const listeners = [...customerListeners(store), ...accountListeners(store)]
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    read(
      await app.handle(
        new Request(`http://localhost/v1${path}`, {
          method,
          headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
          body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
        }),
      ),
    )
  return {
    ask,
    store,
    file,
    get: (path: string, headers?: Record<string, string>) => ask('GET', path, undefined, headers),
    post: (body: unknown, headers?: Record<string, string>) => ask('POST', '/participants', body, headers),
    put: (id: string, body: unknown, headers?: Record<string, string>) =>
      ask('PUT', `/participants/${id}`, body, headers),
    patch: (id: string, body: unknown, headers?: Record<string, string>) =>
      ask('PATCH', `/participants/${id}`, body, headers),
    del: (id: string) => ask('DELETE', `/participants/${id}`),
    /** Headers of a caller, as the gateway or another service sends them. */
    as: async (caller: Partial<Caller>) => ({
      [identityHeader]: await identity.sign(
        { kind: 'user', subject: 'somebody', participantId: null, roles: [], ...caller },
        'participant',
      ),
    }),
    /** Hands over an event as the bus does. */
    hear: (envelope: Envelope) =>
      Promise.all(listeners.filter(({ name }) => name === envelope.name).map((each) => each.handle(envelope))),
    /** The events about a participant, in order, once there are so many. */
    eventsOf: (id: string, count: number) =>
      until(
        () => {
          const own = published.filter(({ data }) => (data as { id: string }).id === id)
          return own.length >= count && own
        },
        { what: `${count} events about ${id}` },
      ),
    close: () => store.close(),
  }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** The error of an answer, after looking at the rest of it (spec 3, Errors, first shape). */
export function refused(answer: Answer, status: number): { code: string; message: string; details?: unknown } {
  const { error } = answer.body ?? {}
  const isWhole = typeof error?.code === 'string' && typeof error.message === 'string' && error.requestId
  if (answer.status !== status || !isWhole || !error.timestamp) {
    throw new Error(`Expected an error ${status}, got ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  const { code, message, details } = error
  return details === undefined ? { code, message } : { code, message, details }
}

/** A UUID that nothing has. */
export const nobody = '01a1fe8f-0000-7000-8000-000000000000'

/** What a UUID in a path that is none is answered with. */
export const notUuid = { code: 'INVALID_REQUEST', message: 'Validation failed (uuid is expected)' }
