import { join } from 'node:path'
import { AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { type ServiceName, services } from '@bursar/contracts/services'
import {
  createClient,
  createIdentity,
  createMetrics,
  currentRequestId,
  identityHeader,
  plainHealth,
} from '@bursar/http'
import { openStore, startRelay } from '@bursar/store'
import { tempDir, until } from '@bursar/testing'
import { createApp } from '../src/app'
import { customerListeners } from '../src/customers/customers.consumer'
import { migrations } from '../src/service'

const secret = Buffer.alloc(32, 5)

/** An answer with its body read. */
export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and says what it expects of it
  body: any
}

export type TestAccounts = Awaited<ReturnType<typeof testAccounts>>

/** The real app on a database of its own. `urls` says where its peers are; the others cannot be reached. */
export async function testAccounts(urls: Partial<Record<ServiceName, string>> = {}) {
  const file = join(tempDir(), 'account.sqlite')
  const store = await openStore({ service: 'account', file, migrations, requestId: currentRequestId })
  const published: Envelope[] = []
  const relay = startRelay(store, {
    publish: async (events) => {
      published.push(...events)
    },
    log: silentLog,
  })
  const identity = createIdentity('account', secret)
  const nowhere = Object.fromEntries(Object.keys(services).map((name) => [name, 'http://127.0.0.1:9'])) as Record<
    ServiceName,
    string
  >
  const app = createApp({
    store,
    relay,
    identity,
    client: createClient({ name: 'account', identity, urls: { ...nowhere, ...urls }, timeoutMs: 300 }),
    log: silentLog,
    metrics: createMetrics('account', 'test'),
    health: plainHealth('account', 'test', { database: () => store.healthy() }),
    version: 'test',
    onFailure: () => {},
  })
  const listeners = customerListeners(store)
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
    fetch: async (request: Request) => await app.handle(request),
    get: (path: string, headers?: Record<string, string>) => ask('GET', path, undefined, headers),
    post: (body: unknown, headers?: Record<string, string>) => ask('POST', '/accounts', body, headers),
    put: (path: string, body: unknown) => ask('PUT', path, body),
    /** Headers of another service. */
    asService: async (name: ServiceName) => {
      const caller = { kind: 'service', subject: name, participantId: null, roles: [] } as const
      return { [identityHeader]: await identity.sign(caller, 'account') }
    },
    /** Headers of a participant, as the gateway sends them. */
    asParticipant: async (participantId: string) => {
      const caller = { kind: 'participant', subject: participantId, participantId, roles: [] } as const
      return { [identityHeader]: await identity.sign(caller, 'account') }
    },
    /** Hands over an event as the bus does. */
    hear: (envelope: Envelope) =>
      Promise.all(listeners.filter(({ name }) => name === envelope.name).map((each) => each.handle(envelope))),
    /** The events about an account, in order, once there are so many. */
    eventsOf: (id: string, count: number) =>
      until(
        () => {
          const names = [AccountCreated.name, AccountUpdated.name]
          const own = published.filter(({ name, data }) => names.includes(name) && idOf(data) === id)
          return own.length >= count && own
        },
        { what: `${count} events about ${id}` },
      ),
    close: () => store.close(),
  }
}

const idOf = (data: unknown) => (data as { account: { id: string } }).account.id

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
