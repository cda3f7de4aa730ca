import { join } from 'node:path'
import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { type ServiceName, services } from '@bursar/contracts/services'
import {
  type Caller,
  type Checks,
  type Client,
  createClient,
  createIdentity,
  createMetrics,
  createOperations,
  currentRequestId,
  type Deps,
  deploymentSeal,
  identityHeader,
  plainHealth,
  type Servable,
  type ServiceDefinition,
} from '@bursar/http'
import { beginEpoch, type OpenStore, startRelay } from '@bursar/store'
import { tempDir } from '../temp-dir'
import { openMigrated } from './migrated-file'
import { type Handles, type Requests, requestsTo } from './requests'

export interface TestServiceOptions<D extends Deps> {
  name: ServiceName
  /** What its service.ts starts. Its workers are not started: tests run what they want of them. */
  definition: ServiceDefinition<D>
  /** What goes before the paths of requests; `/v1` unless given. */
  prefix?: string
  /** Where its peers answer; those that are not named cannot be reached. */
  urls?: Partial<Record<ServiceName, string>>
  /** Stands for its peers instead of `urls`. */
  client?: (deps: Omit<Deps, 'client'>) => Client
  /** How long a peer may take, in milliseconds; a minute unless given: for those that never answer see `impatiently`. */
  peerTimeoutMs?: number
  /** Where its database goes; a folder of its own unless given. */
  dataDir?: string
}

/** A stand-in for Redis. */
export interface TestBroker {
  /** All that it took, oldest first. */
  published: Envelope[]
  /** Whether it takes them: set it to what throws or hangs, and events wait in the outbox. It takes all unless told. */
  take(events: readonly Envelope[]): Promise<void>
}

/** A service without a server and without Redis, and the ways to talk to it. */
export interface TestService<D extends Deps = Deps> extends Requests {
  deps: D
  store: OpenStore
  /** Its SQLite file. */
  file: string
  broker: TestBroker
  /** What the broker took, oldest first, once the outbox is empty. */
  events(): Promise<Envelope[]>
  /** Hands over an event as the bus does. Throws when the service does not consume it. */
  consume(envelope: Envelope): Promise<void>
  /** Headers that prove a caller, as the gateway or another service sends them; a user unless told. */
  as(caller: Partial<Caller>): Promise<Record<string, string>>
  /** Headers of another service. */
  asService(name: ServiceName): Promise<Record<string, string>>
  /** Headers of a participant, as the gateway sends them. */
  asParticipant(participantId: string): Promise<Record<string, string>>
  /**
   * Runs `work` with little time for peers: for those that never answer. Others have time, so that a busy machine fails
   * no test: where a table of tests has both, `when` says of which kind this one is.
   */
  impatiently<T>(work: () => Promise<T>, when?: boolean): Promise<T>
  close(): Promise<void>
}

const secret = Buffer.alloc(32, 5)
const version = 'test'
/** How long a peer may take while the service is impatient. */
const impatientMs = 600

/** The real app on a real database in a folder of its own, with a broker that does as it is told. */
export async function testService<D extends Deps>(options: TestServiceOptions<D>): Promise<TestService<D>> {
  const { name, definition, dataDir = tempDir(), prefix = '/v1' } = options
  const file = join(dataDir, `${services[name].slug}.sqlite`)
  const { migrations } = definition
  const store = await openMigrated({ service: name, file, migrations, requestId: currentRequestId })
  await beginEpoch(store)
  const broker: TestBroker = { published: [], take: async () => {} }
  const relay = startRelay(store, {
    publish: async (texts) => {
      const events = texts.map(({ text }) => JSON.parse(text) as Envelope)
      await broker.take(events)
      broker.published.push(...events)
    },
    log: silentLog,
  })
  const identity = createIdentity(name, secret)
  const checks: Checks = { database: () => store.healthy(), messageQueue: async () => {} }
  const health = definition.health?.(checks) ?? plainHealth(name, version, checks)
  const consumerNames = () => [...consumers.keys()]
  const metrics = createMetrics(name, version)
  const operations = createOperations({
    name,
    version,
    health,
    metrics,
    relay,
    store,
    file,
    bus: noQueue,
    consumers: consumerNames,
  })
  const alone: Omit<Deps, 'client'> = {
    store,
    relay,
    identity,
    version,
    log: silentLog,
    metrics,
    health,
    ready: checks,
    operations,
    onFailure: () => {},
    sealFor: (purpose) => deploymentSeal(secret, purpose),
    hosts: [],
    internalAuth: 'optional',
    logReads: false,
  }
  const patience = { ms: options.peerTimeoutMs ?? patientMs }
  const client =
    options.client?.(alone) ??
    patient(createClient({ name, identity, urls: { ...nowhere, ...options.urls } }), patience)
  const deps = await definition.deps({ ...alone, client })
  const as = async (caller: Partial<Caller>) => ({
    [identityHeader]: await identity.sign({ ...somebody, ...caller }, name),
  })
  const consumers = new Map(definition.consumers?.(deps).map((consumer) => [consumer.name, consumer]))

  return {
    ...requestsTo(definition.app(deps) as Servable & Handles, prefix),
    deps,
    store,
    file,
    broker,
    as,
    asService: (subject) => as({ kind: 'service', subject }),
    asParticipant: (id) => as({ kind: 'participant', subject: id, participantId: id }),
    async events() {
      if (await relay.flush(flushMs)) return broker.published
      throw new Error(`${relay.depth()} events still wait to be published`)
    },
    async consume(envelope) {
      const consumer = consumers.get(envelope.name)
      if (!consumer) throw new Error(`${name} does not consume ${envelope.name}`)
      await consumer.handle(envelope)
    },
    impatiently: (work, when = true) => (when ? impatiently(patience, work) : work()),
    close: () => store.close(),
  }
}

/** The client with the time that its peers have right now. */
function patient(client: Client, patience: { ms: number }): Client {
  const limited = <I extends object>(input: I | undefined) => ({ timeoutMs: patience.ms, ...input })
  return {
    call: (call, input) => client.call(call, limited(input)),
    find: (call, input) => client.find(call, limited(input)),
  }
}

async function impatiently<T>(patience: { ms: number }, work: () => Promise<T>): Promise<T> {
  const before = patience.ms
  patience.ms = impatientMs
  try {
    return await work()
  } finally {
    patience.ms = before
  }
}

/** Long: on a busy machine nothing has gone wrong yet after five seconds. */
const patientMs = 60_000
const flushMs = 60_000
/** Its queue is in no Redis. */
const away = () => Promise.reject(new Error('There is no Redis'))
const noQueue = { depth: away, deadLetters: away, listDeadLetters: away, retryDeadLetter: away }
const somebody: Caller = { kind: 'user', subject: 'somebody', participantId: null, roles: [] }

/** The discard port of this machine, where nothing answers. */
const nowhere = Object.fromEntries(Object.keys(services).map((name) => [name, 'http://127.0.0.1:9'])) as Record<
  ServiceName,
  string
>
