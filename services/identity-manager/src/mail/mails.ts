import type { Seal } from '@bursar/http'
import { insertInto, isNull, newId, type Tx, waitingSince } from '@bursar/store'
import { deleteSome } from '../delete-some'
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

/** Deletes mails that were sent or given up: their recipients are stored for a month. */
export const deleteOldMails = deleteSome(mails, {
  key: mails.id,
  at: mails.createdAt,
  keptMs: 30 * 24 * 60 * 60 * 1000,
  only: isNull(mails.dueAt),
})
