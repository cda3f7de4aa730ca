import { join } from 'node:path'
import type { Envelope } from '@bursar/contracts/event'
import { silentLog } from '@bursar/contracts/log'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import {
  asOfThisMachine,
  type Caller,
  type Checks,
  type Client,
  createClient,
  createDrain,
  createIdentity,
  createMetrics,
  createOperations,
  createRestarts,
  currentRequestId,
  type Deps,
  deploymentSeal,
  identityHeader,
  noSiblings,
  noTracer,
  plainHealth,
  type Servable,
  type ServiceDefinition,
  type Waits,
} from '@bursar/http'
import { beginRun, epochFileOf, type OpenStore, type Relay, type ServerOptions, startRelay } from '@bursar/store'
import { awakeTimeout } from '../after-awake'
import { knowReservedNames } from '../reserved-names'
import { tempDir } from '../temp-dir'
import { openExplained } from './plans'
import { type Handles, type Requests, requestsTo } from './requests'

export interface TestServiceOptions<D extends Deps> {
  name: ServiceName
  /** The parts that its service.ts starts. Workers are not started: tests run those they need. */
  definition: ServiceDefinition<D>
  /** Prefix of request paths; `/v1` by default. */
  prefix?: string
  /** URLs of its peers; others cannot be reached. */
  urls?: Partial<Record<ServiceName, string>>
  /** Stands for its peers instead of `urls`. */
  client?: (deps: Omit<Deps, 'client'>) => Client
  /** How long a peer may take, in milliseconds; a minute unless given: for those that never answer see `impatiently`. */
  peerTimeoutMs?: number
  /** Folder of its database; a new one by default. */
  dataDir?: string
  /** Stands for what guards bodies that share a transaction on a server. */
  guard?: ServerOptions['guard']
}

/** A stand-in for Redis. */
export interface TestBroker {
  /** All events it accepted, oldest first. */
  published: Envelope[]
  /** Accepts events: replace it by a function that throws or hangs, and events wait in the outbox. */
  take(events: readonly Envelope[]): Promise<void>
}

/** A service without a server and without Redis, and the ways to talk to it. */
export interface TestService<D extends Deps = Deps> extends Requests {
  deps: D
  store: OpenStore
  /** Its SQLite file. */
  file: string
  broker: TestBroker
  /** All events the broker accepted, oldest first, once the outbox is empty. */
  events(): Promise<Envelope[]>
  /** Delivers an event as the bus does. Throws when the service does not consume it. */
  consume(envelope: Envelope): Promise<void>
  /** Headers that prove a caller, as the gateway or another service sends them; a user by default. */
  as(caller: Partial<Caller>): Promise<Record<string, string>>
  /** Headers of another service. */
  asService(name: ServiceName): Promise<Record<string, string>>
  /** Headers of a participant, as the gateway sends them. */
  asParticipant(participantId: string): Promise<Record<string, string>>
  /**
   * Runs `work` with a short deadline for peers, for those that never answer; elsewhere the deadline is long, so that a
   * busy machine fails no test. `when`: in tables of tests, whether this one needs it.
   */
  impatiently<T>(work: () => Promise<T>, when?: boolean): Promise<T>
  close(): Promise<void>
}

const secret = Buffer.alloc(32, 5)
/** No peer restarts, and nobody stops the service. */
const leave = { restarts: createRestarts(0), siblings: noSiblings, drain: createDrain(), tracer: noTracer }
const version = 'test'
/** How long a peer may take while the service is impatient. */
const impatientMs = 600

const relayTo = (broker: TestBroker, store: OpenStore): Relay =>
  startRelay(store, {
    publish: async (texts) => {
      const events = texts.map(({ text }) => JSON.parse(text) as Envelope)
      await broker.take(events)
      broker.published.push(...events)
    },
    log: silentLog,
    // It deletes what is published when no test looks: those that count statements count their own.
    tuning: { keepMs: 3_600_000 },
  })

/** The real app on a real database in its own folder, with a fake broker. */
export async function testService<D extends Deps>(options: TestServiceOptions<D>): Promise<TestService<D>> {
  knowReservedNames()
  const { name, definition, dataDir = tempDir(), prefix = '/v1', guard } = options
  const file = join(dataDir, `${services[name].slug}.sqlite`)
  const { migrations } = definition
  const store = await openExplained({ service: name, file, migrations, requestId: currentRequestId, guard })
  await beginRun(store, epochFileOf(file))
  const broker: TestBroker = { published: [], take: async () => {} }
  const relay = relayTo(broker, store)
  const identity = createIdentity(name, secret, () => new Date())
  const checks: Checks = { database: () => store.healthy(), messageQueue: async () => {} }
  const waits: Waits = {}
  const health = definition.health?.(checks, waits) ?? plainHealth(name, version, checks, waits)
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
    // Its own: a test that listens there hears this service alone.
    log: { ...silentLog },
    now: definition.now ?? (() => new Date()),
    metrics,
    health,
    ready: checks,
    operations,
    ...leave,
    onFailure: () => {},
    sealFor: (purpose) => deploymentSeal(secret, purpose),
    hosts: [],
    internalAuth: 'optional',
    logReads: false,
  }
  const patience = { ms: options.peerTimeoutMs ?? patientMs, isShort: false }
  const client =
    options.client?.(alone) ??
    patient(createClient({ name, identity, urls: { ...nowhere, ...options.urls } }), patience)
  const deps = await definition.deps({ ...alone, client })
  Object.assign(waits, definition.waits?.(deps))
  // For five minutes, as long as may be: tests make their headers once, and machines are busy.
  const issuer = createIdentity(name, secret, () => new Date(Date.now() + 230_000))
  const as = async (caller: Partial<Caller>) => ({
    [identityHeader]: await issuer.sign({ ...somebody, ...caller }, name),
  })
  const app = definition.app(deps) as Servable & Handles
  const consumers = new Map(definition.consumers?.(deps).map((consumer) => [consumer.name, consumer]))

  return {
    ...requestsTo({ handle: (request) => app.handle(asOfThisMachine(request)) }, prefix),
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

interface Patience {
  ms: number
  isShort: boolean
}

/** The client with the present deadline for peers. A call's own, often a second, would fail tests on a busy machine as well. */
function patient(client: Client, patience: Patience): Client {
  const limited = <I extends { timeoutMs?: number }>(input: I | undefined) => {
    const { timeoutMs: own = patience.ms } = input ?? {}
    return { ...input, timeoutMs: (patience.isShort ? Math.min : Math.max)(own, patience.ms) }
  }
  return {
    call: (call, input) => client.call(call, limited(input)),
    find: (call, input) => client.find(call, limited(input)),
  }
}

async function impatiently<T>(patience: Patience, work: () => Promise<T>): Promise<T> {
  const before = { ...patience }
  const { timeout } = AbortSignal
  Object.assign(patience, { ms: impatientMs, isShort: true })
  AbortSignal.timeout = awakeTimeout
  try {
    return await work()
  } finally {
    AbortSignal.timeout = timeout
    Object.assign(patience, before)
  }
}

/** Long, because five seconds may pass on a busy machine. */
const patientMs = 60_000
const flushMs = 60_000
/** Its queue is not in Redis. */
const away = () => Promise.reject(new Error('There is no Redis'))
const noQueue = { depth: away, deadLetters: away, listDeadLetters: away, retryDeadLetter: away }
const somebody: Caller = { kind: 'user', subject: 'somebody', participantId: null, roles: [] }

/** The discard port, where nothing answers. */
const nowhere = Object.fromEntries(serviceNames.map((name) => [name, 'http://127.0.0.1:9'])) as Record<
  ServiceName,
  string
>
