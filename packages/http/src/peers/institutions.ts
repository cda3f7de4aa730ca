import type { Envelope } from '@bursar/contracts/event'
import type { Log } from '@bursar/contracts/log'
import { PfiChanged, type PfiRecord, pfiChanges } from '@bursar/contracts/main-api'
import { ParticipantDeleted, type ParticipantRecord, participantChanges } from '@bursar/contracts/participant'
import {
  type ChangeMark,
  type Db,
  eq,
  isNotNull,
  type Loop,
  type OpenStore,
  type Replica,
  receive,
  replica,
  rowBy,
  type Store,
  type Tx,
} from '@bursar/store'
import type { participantsTable, pfisTable } from '@bursar/store/schema'
import type { TSchema } from '@sinclair/typebox'
import type { Client } from './client'
import { type Consumer, consumer } from './consumer'
import { followPeer, type Reconciliation, reconcile } from './reconcile'

/** A service's replicas of institutions, from the main API and the participant service. */
interface InstitutionReplicas<P, D> {
  pfis: Reconciliation<typeof pfiChanges.answer, P>
  participants: Reconciliation<typeof participantChanges.answer, D>
}

/** What a service does when an institution was paused, offboarded or deleted, or is active again. */
export interface InstitutionFollower {
  /** Called in the commit of the change. */
  apply(tx: Tx): Promise<unknown>
  /** Whether a pull has brought a change that is not applied yet. */
  isDue(db: Db): Promise<boolean>
  /** Called after that commit. */
  wake(): void
}

/** For a service that reads its replicas when it needs them. */
const onlyKeeps: InstitutionFollower = { apply: async () => {}, isDue: async () => false, wake: () => {} }

/** Follow changes of institutions at once. */
export function institutionConsumers<P, D>(
  store: Store,
  { pfis, participants }: InstitutionReplicas<P, D>,
  { apply, wake }: InstitutionFollower = onlyKeeps,
): Consumer[] {
  const following =
    <D, Row>(of: Replica<Row>, toRow: (data: D) => Row) =>
    async (envelope: Envelope<D>) => {
      await receive(store, envelope, async (tx) => {
        await of.upsert(tx, toRow(envelope.data))
        await apply(tx)
      })
      wake()
    }
  return [
    consumer(
      PfiChanged,
      following(pfis.replica, (data) => pfis.toRow(data, data)),
    ),
    consumer(
      ParticipantDeleted,
      following(participants.replica, (data) => participants.toRow(data, data)),
    ),
  ]
}

/** A change holds within 5 seconds, also if an event is lost. */
const everyMs = 3000

/** Reconcile the replicas with their owners, independently: one that is away does not delay the other. */
export function institutionWorkers<P, D>(
  deps: { store: OpenStore; client: Client; log: Log },
  { pfis, participants }: InstitutionReplicas<P, D>,
  { apply, isDue, wake }: InstitutionFollower = onlyKeeps,
): Loop[] {
  async function follow<A extends TSchema, Row>(store: OpenStore, of: Reconciliation<A, Row>): Promise<void> {
    await reconcile({ ...deps, store }, of)
    if (!(await isDue(store.read))) return
    await store.commit(async (tx) => void (await apply(tx)))
    wake()
  }
  return [
    followPeer(deps, 'The reconciliation of pfi replicas', (store) => follow(store, pfis), everyMs),
    followPeer(deps, 'The reconciliation of participant replicas', (store) => follow(store, participants), everyMs),
  ]
}

interface Tables {
  pfis: ReturnType<typeof pfisTable>
  participants: ReturnType<typeof participantsTable>
}
type PfiRow = Tables['pfis']['$inferSelect']
type ParticipantRow = Tables['participants']['$inferSelect']

/** The replicas in a service's tables. */
export const institutionReplicas = ({ pfis, participants }: Tables): InstitutionReplicas<PfiRow, ParticipantRow> => ({
  pfis: {
    changes: pfiChanges,
    replica: replica('pfi', pfis),
    toRow: ({ id, status }: PfiRecord, { epoch, version }: ChangeMark) => ({ id, status, epoch, version }),
  },
  participants: {
    changes: participantChanges,
    replica: replica('participant', participants),
    toRow: ({ id, deletedAt }: ParticipantRecord, { epoch, version }: ChangeMark) => ({
      id,
      deletedAt: deletedAt === null ? null : new Date(deletedAt),
      epoch,
      version,
    }),
  },
})

/** Whether an institution was offboarded or deleted, by a service's tables; false for none. */
export function endedInstitutions({ pfis, participants }: Tables) {
  const offboarded = rowBy(pfis, 'id', eq(pfis.status, 'OFFBOARDED'))
  const deleted = rowBy(participants, 'id', isNotNull(participants.deletedAt))
  return async (db: Db, participantId: string | null): Promise<boolean> => {
    if (participantId === null) return false
    const id = participantId.toLowerCase()
    return ((await offboarded(db, id)) ?? (await deleted(db, id))) !== undefined
  }
}
