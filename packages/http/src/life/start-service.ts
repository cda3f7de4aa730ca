import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Bus, connectBus } from '@bursar/bus'
import type { Log } from '@bursar/contracts/log'
import { services } from '@bursar/contracts/services'
import { type OpenStore, openStore, type Relay, type RelayTuning, startRelay, startSweeper } from '@bursar/store'
import { openPort, type Servable } from '../edge/open-port'
import type { AppError } from '../errors/errors'
import { type Checks, type Health, plainHealth } from '../observe/health'
import { createLog } from '../observe/log'
import { createMetrics, type Metrics } from '../observe/metrics'
import { startWatch } from '../observe/watch'
import { type Client, createClient } from '../peers/client'
import type { Consumer } from '../peers/consumer'
import { createIdentity, type Identity, openInternalSecret } from '../peers/identity'
import { currentRequestId } from '../request/context'
import type { ServiceConfig } from '../settings/config'

/** What a service's app and consumers are made from. */
export interface Deps {
  readonly store: OpenStore
  readonly relay: Relay
  readonly log: Log
  readonly metrics: Metrics
  readonly health: Health
  readonly version: string
  /** Proves and reads who calls. */
  readonly identity: Identity
  /** Calls other services. */
  readonly client: Client
  readonly onFailure: (error: AppError) => void
}

/** A service that runs. */
export interface RunningService {
  readonly url: string
  /** Stops taking requests, finishes what is under way, hands its last events over, closes. More calls change nothing. */
  stop(): Promise<void>
}

export interface ServiceDefinition {
  /** The folder of its migrations. */
  migrations: string
  /** Its Elysia app. */
  app: (deps: Deps) => Servable
  /** What it does about the events it hears; none for a service that hears none. */
  consumers?: (deps: Deps) => readonly Consumer[]
  /** How many events it may work on at once; 32 unless told. */
  concurrency?: number
  /** For tests: how its relay keeps time. */
  relay?: Partial<RelayTuning>
  /** Ends what would keep the server from stopping, such as open streams, and what works beside it. */
  beforeStop?: () => void | Promise<void>
  /** The form of its health answer, where it is not the common one. */
  health?: (checks: Checks) => Health
}

/**
 * One service from the first to the last line of its life: database, bus, relay, consumers, server; SERVICE_STARTED
 * and SERVICE_STOPPED to the log tracker. Redis may be away at any time, also now: events wait.
 * Throws one clear sentence when the port is taken or the database cannot be opened; nothing is left open then.
 */
export async function startService(config: ServiceConfig, definition: ServiceDefinition): Promise<RunningService> {
  const { name, version } = config
  const log = await createLog({ service: name, level: config.logLevel, format: config.logFormat })
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const secret = openInternalSecret(config.dataDir, config.internalSecret)
  const store = await openStore({
    service: name,
    file: join(config.dataDir, `${services[name].slug}.sqlite`),
    migrations: definition.migrations,
    requestId: currentRequestId,
    log,
  })
  const bus = connectBus({ url: config.redisUrl, service: name, log, secret })
  const relay = startRelay(store, { publish: bus.publish, connection: bus, log, tuning: definition.relay })
  startSweeper(store)
  const checks: Checks = { database: () => store.healthy(), messageQueue: () => reachable(bus) }
  const health = definition.health?.(checks) ?? plainHealth(name, version, checks)
  const metrics = createMetrics(name, version)
  addGauges(metrics, relay, bus)
  const watch = startWatch({ name, store, log, health })
  const identity = createIdentity(name, secret)
  const client = createClient({ name, identity, urls: config.urls })
  const deps: Deps = { store, relay, log, metrics, health, version, identity, client, onFailure: watch.failed }
  const close = async () => {
    await watch.stop()
    if (!(await relay.flush(closingMs)))
      log.warn({ events: relay.depth() }, 'events stay in the outbox until the next start')
    await relay.stop()
    await bus.close()
    await store.close()
  }
  try {
    const server = openPort(definition.app(deps), config)
    const consumers = definition.consumers?.(deps) ?? []
    const consumer = consumers.length > 0 ? consume(bus, consumers, definition.concurrency) : undefined
    await watch.started(server.url)
    log.info({ url: server.url, version }, 'ready')
    let stopping: Promise<void> | undefined
    const stop = async () => {
      await definition.beforeStop?.()
      await server.stop()
      await consumer?.close()
      await close()
    }
    return { url: server.url, stop: () => (stopping ??= stop()) }
  } catch (error) {
    await close()
    throw error
  }
}

const closingMs = 2000

/** Health is told to anybody: where Redis is and what it said stands in the bus's own log lines. */
const reachable = (bus: Bus): Promise<void> =>
  bus.healthy().catch(() => Promise.reject(new Error('Redis does not answer')))

function addGauges(metrics: Metrics, relay: Relay, bus: Bus): void {
  metrics.add({
    name: 'bursar_outbox_depth',
    help: 'Events committed but not yet published',
    read: () => relay.depth(),
  })
  metrics.add({ name: 'bursar_queue_depth', help: 'Events on this service’s own queue', read: () => bus.depth() })
}

function consume(bus: Bus, consumers: readonly Consumer[], concurrency = 32) {
  const byName = new Map(consumers.map((consumer) => [consumer.name, consumer]))
  return bus.consume(
    async (envelope) => {
      const consumer = byName.get(envelope.name)
      if (!consumer) throw new Error(`${envelope.name} reached a service that does not listen to it`)
      await consumer.handle(envelope)
    },
    { concurrency },
  )
}
