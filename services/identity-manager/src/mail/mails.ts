import type { Seal } from '@bursar/http'
import { params, prepared, type Tx, waitingSince } from '@bursar/store'
import { mails } from './mails.table'

export type MailRow = typeof mails.$inferSelect

/** A mail to a user. */
export interface Mail {
  recipient: string
  subject: string
  body: string
  /** After this it is not sent any more. */
  expiresAt: Date
}

/** Puts a mail into the commit of its cause; the worker sends it. Its body is sealed: there may be a token in it. */
export async function queueMail(tx: Tx, seal: Seal, { body, ...mail }: Mail, now: Date): Promise<void> {
  const id = Bun.randomUUIDv7('hex', now.getTime())
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

const insertMail = prepared((db) => db.insert(mails).values(params(mails)))
