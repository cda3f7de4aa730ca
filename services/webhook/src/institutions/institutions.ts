import { endedInstitutions, institutionReplicas } from '@bursar/http'
import { and, type Db, eq, isNotNull, prepared, type Tx } from '@bursar/store'
import { endpoints } from '../endpoints/endpoints.table'
import { resetTarget, type Waking } from '../targets/targets'
import { targets } from '../targets/targets.table'
import { participants, pfis } from './institutions.table'

export const institutions = institutionReplicas({ pfis, participants })

/** The failure of deliveries of an ended institution. */
export const institutionEnded = 'institution offboarded or deleted'

/** Whether an institution was offboarded or deleted: nothing more is sent for it. */
export const hasEnded = endedInstitutions({ pfis, participants })

/** Targets of ended institutions with waiting deliveries. */
export async function endedTargets(db: Db): Promise<string[]> {
  const rows = [...(await ofOffboarded(db).execute()), ...(await ofDeleted(db).execute())]
  return rows.map(({ id }) => id)
}

/** Wakes the worker to end the waiting deliveries of ended institutions, also of paused targets. */
export async function endWaiting(tx: Tx, waking: Waking): Promise<void> {
  for (const id of await endedTargets(tx)) await resetTarget(tx, id, waking)
}

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
