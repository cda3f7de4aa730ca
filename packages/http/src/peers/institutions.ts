import type { Log } from '@bursar/contracts/log'
import { PfiChanged, type PfiRecord, pfiChanges } from '@bursar/contracts/main-api'
import { ParticipantDeleted, type ParticipantRecord, participantChanges } from '@bursar/contracts/participant'
import {
  and,
  type ChangeMark,
  type Db,
  eq,
  isNotNull,
  type Loop,
  type OpenStore,
  param,
  prepared,
  receive,
  replica,
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
  return [
    consumer(PfiChanged, async (envelope) => {
      await receive(store, envelope, async (tx) => {
        await pfis.replica.upsert(tx, pfis.toRow(envelope.data, envelope.data))
        await apply(tx)
      })
      wake()
    }),
    consumer(ParticipantDeleted, async (envelope) => {
      await receive(store, envelope, async (tx) => {
        await participants.replica.upsert(tx, participants.toRow(envelope.data, envelope.data))
        await apply(tx)
      })
      wake()
    }),
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
  const offboardedById = prepared((db) =>
    db
      .select({ id: pfis.id })
      .from(pfis)
      .where(and(eq(pfis.id, param('id')), eq(pfis.status, 'OFFBOARDED'))),
  )
  const deletedById = prepared((db) =>
    db
      .select({ id: participants.id })
      .from(participants)
      .where(and(eq(participants.id, param('id')), isNotNull(participants.deletedAt))),
  )
  return async (db: Db, participantId: string | null): Promise<boolean> => {
    if (participantId === null) return false
    const id = participantId.toLowerCase()
    const [pfi] = await offboardedById(db).execute({ id })
    const [participant] = pfi ? [] : await deletedById(db).execute({ id })
    return (pfi ?? participant) !== undefined
  }
}
