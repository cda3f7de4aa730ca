import { type PfiRecord, pfiChanges } from '@bursar/contracts/main-api'
import { type ParticipantRecord, participantChanges } from '@bursar/contracts/participant'
import type { Reconciliation } from '@bursar/http'
import { and, type ChangeMark, type Db, eq, isNotNull, param, prepared, replica } from '@bursar/store'
import { participants, pfis } from './institutions.table'

type PfiRow = typeof pfis.$inferSelect
type ParticipantRow = typeof participants.$inferSelect

/** How the replicas of institutions are kept. */
export const pfiReplicas = {
  changes: pfiChanges,
  replica: replica('pfi', pfis),
  toRow: ({ id, status }: PfiRecord, { epoch, version }: ChangeMark): PfiRow => ({ id, status, epoch, version }),
} satisfies Reconciliation<typeof pfiChanges.answer, PfiRow>

/** How the replicas of participants are kept. */
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

/** Whether an institution was offboarded or deleted: its users do not log in, and their sessions end. */
export async function hasEnded(db: Db, participantId: string | null): Promise<boolean> {
  if (participantId === null) return false
  const [pfi] = await offboardedById(db).execute({ id: participantId })
  const [participant] = pfi ? [] : await deletedById(db).execute({ id: participantId })
  return (pfi ?? participant) !== undefined
}

/** The status of institutions that have ended. */
export const isOffboarded = eq(pfis.status, 'OFFBOARDED')
const offboardedById = prepared((db) =>
  db
    .select({ id: pfis.id })
    .from(pfis)
    .where(and(eq(pfis.id, param('id')), isOffboarded)),
)
const deletedById = prepared((db) =>
  db
    .select({ id: participants.id })
    .from(participants)
    .where(and(eq(participants.id, param('id')), isNotNull(participants.deletedAt))),
)
