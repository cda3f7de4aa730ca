import { dirname } from 'node:path'
import type { Bus } from '@bursar/bus'
import { type OpenStore, oldestEventAt, type Relay, type RetentionLoop } from '@bursar/store'
import type { Health } from '../observe/health'
import type { Metrics } from '../observe/metrics'
import { diskFree } from '../observe/operations'
import { createSingleFlight } from '../routes/single-flight'

interface Sources {
  health: Health
  relay: Relay
  bus: Bus
  store: OpenStore
  /** The database file, or where it would be. */
  file: string
  retiring: () => RetentionLoop | undefined
  now: () => Date
}

/** The metrics of a service that an operator watches, besides those of its requests. */
export function addGauges(metrics: Metrics, { health, relay, bus, store, file, retiring, now }: Sources): void {
  const add = (name: string, help: string, read: Parameters<Metrics['add']>[0]['read']) =>
    metrics.add({ name, help, read })
  // Both figures are read at once.
  const once = createSingleFlight<Awaited<ReturnType<Health['read']>>>()
  const healthNow = () => once('health', health.read)
  metrics.addLabelled({
    name: 'bursar_check_ok',
    help: 'Whether each check of GET /health passes: 1 or 0',
    label: 'check',
    read: async () => {
      const { checks, failures } = await healthNow()
      return Object.fromEntries(checks.map((check) => [check, check in failures ? 0 : 1]))
    },
  })
  metrics.addLabelled({
    name: 'bursar_waiting',
    help: 'What waits for a person, each 1: GET /health says what to do',
    label: 'what',
    read: async () => {
      const { kinds = [] } = await healthNow()
      return Object.fromEntries(kinds.map((what) => [what, 1]))
    },
  })
  add('bursar_outbox_depth', 'Events committed but not yet published', () => relay.depth())
  add('bursar_events_published', 'Events handed to Redis since the start', () => relay.published())
  add(
    'bursar_outbox_oldest_seconds',
    'Age of the oldest event in the outbox; published ones stay there for some seconds',
    async () => {
      const oldest = await oldestEventAt(store.read)
      return oldest ? Math.max(0, (now().getTime() - oldest.getTime()) / 1000) : 0
    },
  )
  add('bursar_commit_failures', 'Batches of commits that the database refused since the start', () =>
    store.commitFailures(),
  )
  add('bursar_statements', 'Statements that the database ran since the start', () => store.counts().statements)
  add(
    'bursar_commit_bodies',
    'Commits since the start; those that came together shared a write to the disk',
    () => store.counts().bodies,
  )
  add('bursar_queue_depth', 'Jobs on this service’s own queue, of up to 256 events each', () => bus.depth())
  add('bursar_dead_letters', 'Jobs of events that this service could not handle: bun run events failed', () =>
    bus.deadLetters(),
  )
  metrics.addLabelled({
    name: 'bursar_retention_ok',
    help: 'Whether old rows of each table could leave when they last had to: 1 or 0',
    label: 'table',
    read: () => retiring()?.outcomes() ?? {},
  })
  metrics.addLabelled({
    name: 'bursar_database_bytes',
    help: 'Size of the database file and of its write-ahead log; on a server that of its tables with their indexes',
    label: 'file',
    async read() {
      const { bytes, logBytes } = await store.size()
      return { main: bytes, ...(logBytes !== null && { wal: logBytes }) }
    },
  })
  add('bursar_disk_free_bytes', 'Free space on the disk of the data folder', () => diskFree(dirname(file)))
}
