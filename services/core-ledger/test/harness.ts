import { join } from 'node:path'
import type { AccountState } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { CallError, type Client, createIdentity, createMetrics, plainHealth } from '@bursar/http'
import { type OpenStore, openStore, startRelay } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { keepAccount, keepCustomer } from '../src/accounts/copies'
import { createLookup } from '../src/accounts/lookup'
import { createApp, type LedgerDeps } from '../src/app'
import { config } from '../src/config'
import { migrations } from '../src/service'

type App = { handle(request: Request): Promise<Response> }

/** A parsed answer. */
export interface Answer<T> {
  status: number
  headers: Headers
  body: T
}

export interface Ledger {
  store: OpenStore
  app: App
  deps: LedgerDeps
  /** Sends a request and reads the answer. A string goes as it is, anything else as JSON. */
  send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<T>>
  /** Every event that was published, oldest first, once the outbox is empty. */
  events(): Promise<Envelope[]>
  /** Makes an account (and its customer) known, as their events would. */
  account(options?: Partial<AccountState['account']> & { customerStatus?: 'active' | 'suspended' }): Promise<{
    id: string
    customerId: string
  }>
  close(): Promise<void>
}

/** No other service is there: each call fails as an unreachable one does. */
const nobody: Client = {
  call: ({ service }) =>
    Promise.reject(new CallError('unreachable', service, `The ${service} service cannot be reached`)),
}

const secret = new Uint8Array(32).fill(7)

/** The service's app over a store of its own, without a server or a bus. */
export async function openLedger(
  options: { client?: Client; env?: Record<string, string>; requestId?: () => string | null } = {},
): Promise<Ledger> {
  const dataDir = tempDir()
  const store = await openStore({
    service: 'core-ledger',
    file: join(dataDir, 'core.sqlite'),
    migrations,
    requestId: options.requestId,
  })
  const published: Envelope[] = []
  const relay = startRelay(store, {
    publish: async (events) => void published.push(...events),
    log: silentLog,
  })
  const client = options.client ?? nobody
  const deps: LedgerDeps = {
    store,
    relay,
    log: silentLog,
    metrics: createMetrics('core-ledger', '1.2.3'),
    health: plainHealth('core-ledger', '1.2.3', { database: () => store.healthy() }),
    version: '1.2.3',
    identity: createIdentity('core-ledger', secret),
    client,
    onFailure: () => {},
    config: config({ DATA_DIR: dataDir, ...options.env }),
    lookup: createLookup({ store, client }),
  }
  const app = createApp(deps)
  return {
    store,
    app,
    deps,
    send: (method, path, body, headers) => send(app, method, path, body, headers),
    async events() {
      await relay.flush(5000)
      return published
    },
    account: (of = {}) => addAccount(store, of),
    close: () => store.close(),
  }
}

async function send<T>(
  app: App,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const all = text === undefined ? headers : { 'content-type': 'application/json', ...headers }
  const response = await app.handle(new Request(`http://localhost${path}`, { method, headers: all, body: text }))
  const answered = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && answered !== ''
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson ? JSON.parse(answered) : answered) as T,
  }
}

async function addAccount(
  store: OpenStore,
  { customerStatus = 'active', ...given }: Parameters<Ledger['account']>[0] & object,
): Promise<{ id: string; customerId: string }> {
  const account = {
    id: Bun.randomUUIDv7(),
    customerId: Bun.randomUUIDv7(),
    customerExternalId: null,
    walletAccountId: null,
    accountExternalId: null,
    type: 'STABLECOINS' as const,
    status: 'active' as const,
    name: 'An account',
    customerName: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    ...given,
  }
  await store.commit(async (tx) => {
    await keepAccount(tx, { account, participantId: null, version: 1 })
    if (account.customerId === null) return
    const customer = { id: account.customerId, externalId: 'x', status: customerStatus, createdAt: account.createdAt }
    await keepCustomer(tx, customer, { version: 1 })
  })
  return { id: account.id, customerId: account.customerId ?? '' }
}
