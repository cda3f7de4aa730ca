import { join } from 'node:path'
import { type Bus, connectBus, noSiblings, type Siblings } from '@bursar/bus'
import { type Log, messageOf } from '@bursar/contracts/log'
import { services } from '@bursar/contracts/services'
import {
  type OpenStore,
  type Relay,
  type RelayTuning,
  type Retention,
  type RetentionLoop,
  startRelay,
  startRetiring,
  startSweeper,
  type Worker,
} from '@bursar/store'
import { createDrain, type Drain } from '../edge/drain'
import { openPort, type Servable } from '../edge/open-port'
import { isLoopback } from '../edge/own-pages'
import { flushMs } from '../edge/stop-limits'
import type { AppError } from '../errors/errors'
import { type Checks, type Health, plainHealth, type Waits } from '../observe/health'
import { createLog, isForPeople } from '../observe/log'
import { createMetrics, type Metrics } from '../observe/metrics'
import { createOperations, type Operations } from '../observe/operations'
import { startWatch } from '../observe/watch'
import { type Client, createClient } from '../peers/client'
import type { Consumer } from '../peers/consumer'
import { createIdentity, type Identity, openInternalSecret } from '../peers/identity'
import { createRestarts, type Restarts } from '../peers/restarts'
import type { KeyRing } from '../secrets/key-ring'
import { type Resealing, type SealedPlace, startResealing } from '../secrets/resealing'
import { deploymentSeal, type Seal } from '../secrets/sealed'
import type { ServiceConfig } from '../settings/config'
import type { Tracer } from '../trace/tracer'
import { openDataFolder } from './data-folder'
import { addGauges } from './gauges'
import { openOwnStore } from './own-store'
import { portOf } from './service-port'
import { handleTraced, tracerOf } from './service-traces'
import { startFailure } from './start-failure'
import { inSteps, once } from './stop-together'

/** The dependencies of a service's app and consumers. */
export interface Deps {
  readonly store: OpenStore
  readonly relay: Relay
  readonly log: Log
  /** The clock. */
  readonly now: () => Date
  readonly metrics: Metrics
  readonly health: Health
  /** Only the checks of its database and its bus. */
  readonly ready: Checks
  /** Figures and dead letters for operators. */
  readonly operations: Operations
  readonly version: string
  /** Signs and verifies callers. */
  readonly identity: Identity
  /** Calls other services. */
  readonly client: Client
  /** Sends requests so that the restart of a service loses none. */
  readonly restarts: Restarts
  /** The service's other instances. */
  readonly siblings: Siblings
  /** The service's graceful shutdown. */
  readonly drain: Drain
  /** Records the work for a request, if traces are recorded. */
  readonly tracer: Tracer
  readonly onFailure: (error: AppError) => void
  /** Seals what another service of the deployment opens, for one purpose. */
  readonly sealFor: (purpose: string) => Seal
  /** What the edge requires of callers. */
  readonly hosts: readonly string[]
  readonly internalAuth: 'optional' | 'required'
  readonly logReads: boolean
}

/** A service that runs. */
export interface RunningService {
  readonly url: string
  /** Whether all its events are published, its queue is empty and its workers are idle. False while Redis is away. */
  settled(): Promise<boolean>
  /** Stops accepting requests, finishes running ones, publishes its last events, closes. Further calls do nothing. */
  stop(): Promise<void>
  /** The steps of a stop: services of one process take each of them together (stop-together.ts). Each runs once. */
  readonly steps: readonly (() => Promise<void>)[]
}

/** The definition of a service. `D`: the dependencies of its app, consumers and workers. */
export interface ServiceDefinition<D extends Deps = Deps> {
  /** The folder of its migrations. */
  migrations: string
  /** Adds the service's own dependencies to the common ones, before the port is opened. */
  deps: (common: Deps) => D | Promise<D>
  /** Its Elysia app. */
  app: (deps: D) => Servable
  /** Its handlers of the events that name it as a consumer. */
  consumers?: (deps: D) => readonly Consumer[]
  /** How many events it may work on at once; 32 unless given. */
  concurrency?: number
  /** Whether other services call it, so that it has a socket beside its port. True unless given. */
  isCalled?: boolean
  /** Its workers: started after the port is open, stopped before it closes. */
  workers?: (deps: D) => readonly Worker[]
  /** The tables whose old or excess rows leave. */
  retention?: (deps: D) => readonly Retention[]
  /** The places of its sealed values: they are sealed again after a rotation of its keys. */
  sealed?: (deps: D) => readonly SealedPlace[]
  /** For tests: its clock. */
  now?: () => Date
  /** For tests: how its relay keeps time. */
  relay?: Partial<RelayTuning>
  /** For tests: how often old rows leave, in milliseconds. */
  retireMs?: number
  /** What waits for a person there, for its health; `waits` of `health` has it as well. */
  waits?: (deps: D) => Waits
  /** The form of its health answer, if it is not the common one. */
  health?: (checks: Checks, waits: Waits) => Health
}

/**
 * Runs one service from start to stop: database, bus, relay, server, consumers, workers; SERVICE_STARTED and
 * SERVICE_STOPPED to the log tracker. Redis may be away at any time, also at the start: events wait. Throws one clear
 * sentence if the port is taken, or the data folder or the database cannot be used; nothing is left open then.
 */
export async function startService<D extends Deps>(
  config: ServiceConfig,
  definition: ServiceDefinition<D>,
): Promise<RunningService> {
  try {
    return await start(config, definition)
  } catch (error) {
    throw startFailure(error, config.dataDir)
  }
}

async function start<D extends Deps>(config: ServiceConfig, definition: ServiceDefinition<D>): Promise<RunningService> {
  const { name, version } = config
  const now = definition.now ?? (() => new Date())
  const log = await createLog({ service: name, level: config.logLevel, format: config.logFormat })
  openDataFolder(config.dataDir)
  const file = join(config.dataDir, `${services[name].slug}.sqlite`)
  const secret = openInternalSecret(config.dataDir, config.internalSecret, now, config.databaseUrl === null)
  const tracer = tracerOf(config, log)
  const store = await openOwnStore(config, { file, migrations: definition.migrations }, { tracer, log })
  const bus = await Promise.try(connectBus, { url: config.redisUrl, service: name, log, secret }).catch(
    async (error: unknown) => {
      await store.close()
      throw error
    },
  )
  const relay = startRelay(store, { publish: bus.publish, connection: bus, log, tuning: definition.relay })
  const sweeper = startSweeper(store)
  let started: Started | undefined
  const waits: Waits = {}
  const observed = observe({ config, definition, relay, bus, store, file, now, waits, started: () => started })
  const watch = startWatch({ name, store, log, health: observed.health, now })
  const { internalAuth } = config
  const doors = { hosts: [config.host, ...config.allowedHosts], internalAuth, logReads: isForPeople(config.logFormat) }
  warnOfOpenDoor(config, log)
  const common: Deps = {
    store,
    relay,
    log,
    now,
    ...observed,
    version,
    ...withPeers(config, secret, tracer, now),
    // Other instances may work on a server's database.
    siblings: config.databaseUrl === null ? noSiblings : bus.siblings(),
    drain: createDrain(),
    tracer,
    onFailure: watch.failed,
    sealFor: (purpose) => deploymentSeal(secret, purpose),
    ...doors,
  }
  const close = () => closeAll({ sweeper, watch, relay, tracer, bus, store, log })
  try {
    const deps = await definition.deps(common)
    Object.assign(waits, definition.waits?.(deps))
    const server = await openPort(definition.app(deps), portOf(config, definition, log))
    const consumers = definition.consumers?.(deps) ?? []
    const consumer = consumers.length > 0 ? consume(bus, consumers, tracer, definition.concurrency) : undefined
    const resealing = startResealing([secret], definition.sealed?.(deps) ?? [], common)
    const limits = { store, now, folder: config.archiveDir, pauseMs: definition.retireMs }
    const retiring = startRetiring(definition.retention?.(deps) ?? [], limits)
    started = { consumers, resealing, retiring }
    const workers = [resealing, retiring, ...(definition.workers?.(deps) ?? [])]
    await watch.started(server.url)
    log.info({ url: server.url, version }, 'ready')
    const steps = [
      async () => {
        common.restarts.end()
        await Promise.all([...workers.map((worker) => worker.stop()), consumer?.close()])
      },
      // Late, so that the service is away as briefly as possible.
      () => common.drain.begin().then(server.closePort),
      server.leave,
      close,
    ].map(once)
    const settled = async () =>
      relay.depth() === 0 && workers.every((worker) => worker.idle?.() ?? true) && (await isEmpty(bus))
    return { url: server.url, settled, stop: once(() => inSteps(steps)), steps }
  } catch (error) {
    await close()
    throw error
  }
}

type Closed = Pick<Deps, 'relay' | 'tracer' | 'store' | 'log'> & { bus: Bus; sweeper: Worker; watch: Worker }

async function closeAll({ sweeper, watch, relay, tracer, bus, store, log }: Closed): Promise<void> {
  await sweeper.stop()
  await watch.stop()
  if (!(await relay.flush(flushMs)))
    log.warn({ events: relay.depth() }, 'events stay in the outbox until the next start')
  await relay.stop()
  await tracer.stop()
  await bus.close()
  await store.close()
}

function warnOfOpenDoor({ internalAuth, host }: ServiceConfig, log: Log): void {
  if (internalAuth === 'required' || isLoopback(host)) return
  log.warn({ host }, 'Anybody who reaches this address may call: set INTERNAL_AUTH=required, or HOST=127.0.0.1')
}

/** Adds the dependencies for calling other services. */
function withPeers(
  { name, addresses, restartMs }: ServiceConfig,
  secret: KeyRing,
  tracer: Tracer,
  now: () => Date,
): Pick<Deps, 'identity' | 'client' | 'restarts'> {
  const identity = createIdentity(name, secret, now)
  const restarts = createRestarts(restartMs)
  return { identity, restarts, client: createClient({ name, identity, urls: addresses, restarts, tracer }) }
}

interface Observed {
  config: ServiceConfig
  definition: Pick<ServiceDefinition<never>, 'health'>
  relay: Relay
  bus: Bus
  store: OpenStore
  file: string
  now: () => Date
  waits: Waits
  /** Undefined before the port is open. */
  started: () => Started | undefined
}

interface Started {
  consumers: readonly Consumer[]
  resealing: Resealing
  retiring: RetentionLoop
}

/** Health, metrics and operations of the service. */
function observe(sources: Observed): Pick<Deps, 'health' | 'ready' | 'metrics' | 'operations'> {
  const { definition, store, bus, waits, started } = sources
  const { name, version } = sources.config
  const checks: Checks = { database: () => store.healthy(), messageQueue: () => reachable(bus) }
  Object.assign(waits, {
    retention: async () => started()?.retiring.problem() ?? null,
    keys: async () => started()?.resealing.problem() ?? null,
  } satisfies Waits)
  const health = definition.health?.(checks, waits) ?? plainHealth(name, version, checks, waits)
  const metrics = createMetrics(name, version)
  addGauges(metrics, { ...sources, health, retiring: () => started()?.retiring })
  const keys = () => started()?.resealing.states() ?? []
  const names = () => started()?.consumers.map((consumer) => consumer.name) ?? []
  const operations = createOperations({ ...sources, name, version, health, metrics, consumers: names, keys })
  return { health, ready: checks, metrics, operations }
}

/** Health is public: the address and message of Redis are only in the log. */
const reachable = (bus: Bus): Promise<void> =>
  bus.healthy().catch((error: unknown) => {
    const [refusal] = /^[A-Z]+(?= )/.exec(messageOf(error)) ?? []
    throw new Error(refusal ? `Redis takes no writes (${refusal})` : 'Redis does not answer')
  })

const isEmpty = (bus: Bus): Promise<boolean> =>
  bus.depth().then(
    (depth) => depth === 0,
    () => false,
  )

function consume(bus: Bus, consumers: readonly Consumer[], tracer: Tracer, concurrency = 32) {
  const byName = new Map(consumers.map((consumer) => [consumer.name, consumer]))
  return bus.consume(
    async (envelope) => {
      const consumer = byName.get(envelope.name)
      if (!consumer) throw new Error(`${envelope.name} reached a service that does not listen to it`)
      await handleTraced(tracer, envelope, () => consumer.handle(envelope))
    },
    { concurrency },
  )
}
