import type { Seal } from '@bursar/http'
import { and, asc, inArray, insertInto, isNull, lt, newId, param, prepared, type Tx, waitingSince } from '@bursar/store'
import { mails } from './mails.table'

export type MailRow = typeof mails.$inferSelect

/** A mail to a user. */
export interface Mail {
  recipient: string
  subject: string
  body: string
  /** It is not sent after this time. */
  expiresAt: Date
}

/**
 * Queues a mail in the commit of its cause; the worker sends it. Its body is encrypted, since it may contain a token.
 */
export async function queueMail(tx: Tx, seal: Seal, { body, ...mail }: Mail, now: Date): Promise<void> {
  const id = newId(now)
  const row: MailRow = {
    ...mail,
    id,
    body: seal.seal(body, id),
    createdAt: now,
    ...waitingSince(now),
    sentAt: null,
  }
  await insertMail(tx).execute(row)
}

/** How long an informative mail is worth sending. */
const noticeMs = 24 * 60 * 60 * 1000

/** Queues a mail that tells a user of a change. */
export const queueNotice = (tx: Tx, seal: Seal, notice: Omit<Mail, 'expiresAt'>, now: Date): Promise<void> =>
  queueMail(tx, seal, { ...notice, expiresAt: new Date(now.getTime() + noticeMs) }, now)

const insertMail = insertInto(mails)

/** How long the recipients of mails are stored. */
const keptMs = 30 * 24 * 60 * 60 * 1000
/** Rows that one commit deletes: few, so that other commits never wait long. */
const chunk = 200

/** Deletes some of the mails that were sent or given up long ago. Returns true when there may be more. */
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
