import { and, asc, inArray, isNull, lt, param, prepared, type Tx } from '@bursar/store'
import { mails } from './mails.table'

/** How long it can be seen to whom mails went. */
const keptMs = 30 * 24 * 60 * 60 * 1000
/** Rows that one commit deletes, so that others never wait for a long one. */
const chunk = 200

/** Deletes some of the mails that were sent or given up long ago. True when there may be more. */
export async function deleteOldMails(tx: Tx, now: Date): Promise<boolean> {
  const deleted = await deleteMails(tx).execute({ before: new Date(now.getTime() - keptMs), chunk })
  return deleted.length === chunk
}

const deleteMails = prepared((db) => {
  const old = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(lt(mails.createdAt, param('before')), isNull(mails.dueAt)))
    .orderBy(asc(mails.createdAt))
    .limit(param('chunk'))
  return db.delete(mails).where(inArray(mails.id, old)).returning({ id: mails.id })
})
