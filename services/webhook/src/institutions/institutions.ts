import { type PfiRecord, pfiChanges } from '@bursar/contracts/main-api'
import { type ParticipantRecord, participantChanges } from '@bursar/contracts/participant'
import type { Reconciliation } from '@bursar/http'
import { and, type ChangeMark, type Db, eq, isNotNull, param, prepared, replica, type Tx } from '@bursar/store'
import { endpoints } from '../endpoints/endpoints.table'
import { resetTarget } from '../sending/targets'
import { targets } from '../sending/targets.table'
import { participants, pfis } from './institutions.table'

type PfiRow = typeof pfis.$inferSelect
type ParticipantRow = typeof participants.$inferSelect

/** How the replica of institutions is kept. */
export const pfiReplicas = {
  changes: pfiChanges,
  replica: replica('pfi', pfis),
  toRow: ({ id, status }: PfiRecord, { epoch, version }: ChangeMark): PfiRow => ({ id, status, epoch, version }),
} satisfies Reconciliation<typeof pfiChanges.answer, PfiRow>

/** How the replica of participants is kept. */
export const participantReplicas = {
  changes: participantChanges,
  replica: replica('participant', participants),
  toRow: ({ id, deletedAt }: ParticipantRecord, { epoch, version }: ChangeMark): ParticipantRow => ({
    id,
    deletedAt: deletedAt === null ? null : new Date(deletedAt),
    epoch,
    version,
  }),
} satisfies Reconciliation<typeof participantChanges.answer, ParticipantRow>

/** Why nothing is sent for an institution that has ended. */
export const institutionEnded = 'institution offboarded or deleted'

/** Whether an institution was offboarded or deleted: nothing is sent for it any more. */
export async function hasEnded(db: Db, participantId: string | null): Promise<boolean> {
  if (participantId === null) return false
  const id = participantId.toLowerCase()
  const [pfi] = await offboardedById(db).execute({ id })
  const [participant] = pfi ? [] : await deletedById(db).execute({ id })
  return (pfi ?? participant) !== undefined
}

/** Targets of institutions that have ended, with something that waits. */
export async function endedTargets(db: Db): Promise<string[]> {
  const rows = [...(await ofOffboarded(db).execute()), ...(await ofDeleted(db).execute())]
  return rows.map(({ id }) => id)
}

/** Has the worker end at once what waits for institutions that have ended, also for targets that are paused. */
export async function endWaiting(tx: Tx, now: Date): Promise<void> {
  for (const id of await endedTargets(tx)) await resetTarget(tx, id, now)
}

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
const ofOffboarded = prepared((db) =>
  db
    .select({ id: targets.id })
    .from(pfis)
    .innerJoin(endpoints, eq(endpoints.participantId, pfis.id))
    .innerJoin(targets, eq(targets.id, endpoints.id))
    .where(and(eq(pfis.status, 'OFFBOARDED'), isNotNull(targets.dueAt))),
)
const ofDeleted = prepared((db) =>
  db
    .select({ id: targets.id })
    .from(participants)
    .innerJoin(endpoints, eq(endpoints.participantId, participants.id))
    .innerJoin(targets, eq(targets.id, endpoints.id))
    .where(and(isNotNull(participants.deletedAt), isNotNull(targets.dueAt))),
)
