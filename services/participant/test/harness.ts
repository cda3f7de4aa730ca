import { expect } from 'bun:test'
import { dirname } from 'node:path'
import type { Envelope } from '@bursar/contracts/event'
import type { ParticipantState } from '@bursar/contracts/participant'
import type { ServiceName } from '@bursar/contracts/services'
import type { Authorization } from '@bursar/http'
import { eq, isNull, type Worker, waitingSince } from '@bursar/store'
import { tempDir, until } from '@bursar/testing'
import { refusedAs, type TestService, testService, uuidExpected } from '@bursar/testing/service'
import type { ParticipantDeps } from '../src/deps'
import { type SagaTuning, sagaWorker } from '../src/saga-runs/saga-runs'
import { sagas } from '../src/sagas/sagas.table'
import { definition } from '../src/service'

export { nobody } from '@bursar/testing/service'

export interface TestParticipants extends TestService<ParticipantDeps> {
  /** All events about a participant, in order. */
  eventsOf(id: string): Promise<Envelope[]>
  /** Starts the worker that resumes sagas; `close` stops it. */
  startWorker(): Worker
  /** Resumes all sagas that are due and not leased. */
  resumeDue(): Promise<void>
  /** Makes a saga due at that time, without a lease. */
  setDue(id: string, dueAt: Date): Promise<void>
}

/**
 * The real app on a real database. `urls` gives the addresses of its peers; any other peer is unreachable. With the
 * `file` of one that was closed it continues from there.
 */
export async function testParticipants(
  urls: Partial<Record<ServiceName, string>> = {},
  options: { file?: string; tuning?: Partial<SagaTuning>; now?: () => Date; authorization?: Authorization } = {},
): Promise<TestParticipants> {
  const dataDir = options.file === undefined ? tempDir() : dirname(options.file)
  // Callers wait for long: a busy machine may stand still for the usual eight seconds.
  const tuning = { waitMs: 60_000, retryMs: 20, pollMs: 20, ...options.tuning }
  const { authorization = 'documented' } = options
  const made = definition({ dataDir, authorization, databaseUrl: null, secretKey: undefined }, tuning, options.now)
  const service = await testService({ name: 'participant', definition: made, urls, dataDir })
  const workers: Worker[] = []
  return {
    ...service,
    eventsOf: async (id) => (await service.events()).filter(({ data }) => (data as { id: string }).id === id),
    startWorker() {
      const worker = sagaWorker(service.deps)
      workers.push(worker)
      return worker
    },
    resumeDue: () => resumeDue(service.deps),
    setDue: (id, dueAt) =>
      service.store.commit(async (tx) => {
        await tx.update(sagas).set(waitingSince(dueAt)).where(eq(sagas.id, id))
      }),
    async close() {
      await Promise.all([service.deps.sagas.stop(), ...workers.map((worker) => worker.stop())])
      await service.close()
    },
  }
}

/** Like one pass of the worker. */
export async function resumeDue(deps: Parameters<typeof sagaWorker>[0]): Promise<void> {
  const worker = sagaWorker({ ...deps, sagas: { ...deps.sagas, stop: async () => {} } })
  await worker.runDue()
  await worker.stop()
}

/** The sagas that have not ended. */
export const unfinishedSagas = ({ store }: TestParticipants) =>
  store.read.select().from(sagas).where(isNull(sagas.finishedAt))

/** Lets the worker finish all sagas. */
export async function finishSagas(service: TestParticipants): Promise<void> {
  service.startWorker()
  await until(async () => (await unfinishedSagas(service)).length === 0, { what: 'all sagas to end' })
}

let made = 0
const next = () => ++made

/** A body for POST /participants, with a unique key. */
export const plain = (fields: object = {}) => ({
  institutionName: 'First Bank',
  authConsumerId: `sk_live_${next()}`,
  customers: [],
  ...fields,
})

/** A customer in such a body, with a unique external id. */
export const customer = (fields: object = {}) => ({
  externalId: `ext-${next()}`,
  status: 'active',
  accounts: [] as object[],
  ...fields,
})

/** An account of such a customer. */
export const account = (fields: object = {}) => ({ type: 'STABLECOINS', status: 'active', name: 'Main', ...fields })

/** The error of a response; checks the rest of its body (spec 3, Errors, first shape). */
export const refused = refusedAs('object')

/** The error for a path whose id is not a UUID. */
export const notUuid = { code: 'INVALID_REQUEST', message: uuidExpected }

/** The marks of a record's events: of one epoch, each version higher than the one before. */
export function expectRising(events: readonly Envelope[]): void {
  const marks = events.map(({ data }) => data as ParticipantState)
  expect(new Set(marks.map(({ epoch }) => epoch)).size).toBe(1)
  const versions = marks.map(({ version }) => version)
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
}
