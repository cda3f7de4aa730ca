import { and, type Db, eq, inArray, isNotNull, or, param, prepared } from '@bursar/store'
import { participants } from './participants.table'
import { pfis } from './pfis.table'

/** An institution whose payments are held (decisions, Institutions that are PAUSED, OFFBOARDED or deleted). */
export interface Held {
  name: string
  /** PAUSED, OFFBOARDED or deleted. */
  state: string
}

/** The first of these institutions that is paused, offboarded or deleted; undefined for none. */
export async function heldParty(db: Db, first: string | null, second: string | null = null): Promise<Held | undefined> {
  const [row] = await heldAmong(db).execute({ first: first ?? '', second: second ?? '' })
  return row && { name: row.name, state: row.deletedAt === null ? row.status : 'deleted' }
}

const heldAmong = prepared((db) =>
  db
    .select({ name: pfis.name, status: pfis.status, deletedAt: participants.deletedAt })
    .from(pfis)
    .leftJoin(participants, eq(participants.id, pfis.id))
    .where(
      and(
        or(eq(pfis.id, param('first')), eq(pfis.id, param('second'))),
        or(inArray(pfis.status, ['PAUSED', 'OFFBOARDED']), isNotNull(participants.deletedAt)),
      ),
    )
    .limit(1),
)
