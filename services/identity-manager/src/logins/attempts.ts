import {
  and,
  type Db,
  deleteBy,
  desc,
  eq,
  gt,
  inArray,
  insertInto,
  lte,
  newId,
  param,
  prepared,
  type Tx,
} from '@bursar/store'
import { deleteSome } from '../delete-some'
import { fail } from '../errors'
import { digest } from '../secret-tokens'
import { attempts } from './attempts.table'

/**
 * decisions, Rate limits and Locked out: the maximum number of attempts in a period, for an account from one address,
 * and for an address.
 */
const mostAttempts = 5
const windowMs = 5 * 60 * 1000

/** The kinds of attempt: guessing a secret, requesting mails, having mails sent to users. */
type AttemptKind = 'login' | 'change' | 'code' | 'mail' | 'sent'

/** The account of an attempt, whether it exists or not. */
export const accountOf = (kind: AttemptKind, emailKey: string): string => digest(`${kind} account ${emailKey}`)

/** The account together with the origin of the attempt: a known device of its user, else an address. */
export const placeOf = (kind: AttemptKind, emailKey: string, place: { address: string | null } | { device: string }) =>
  digest(
    'device' in place
      ? `${kind} account ${emailKey} device ${place.device}`
      : `${kind} account ${emailKey} address ${place.address ?? ''}`,
  )

/**
 * The address of an attempt, as a list: empty for this machine, which all callers without the gateway share. The
 * gateway counts its own callers.
 */
export const addressOf = (kind: AttemptKind, address: string | null): string[] =>
  address === null || isLoopback(address) ? [] : [digest(`${kind} address ${address}`)]

const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/.test(address)

/**
 * Counts an attempt as failed before it is made, so that concurrent attempts are limited like sequential ones. Fails
 * (429) when one of its subjects has had five; `noted` subjects are counted but not limited. Returns the attempt's id,
 * for `forgive`.
 */
export async function countAttempt(
  tx: Tx,
  subjects: readonly string[],
  now: Date,
  noted: readonly string[] = [],
): Promise<string> {
  for (const subject of subjects) {
    const recent = await recentOf(tx, subject, now)
    const oldest = recent[mostAttempts - 1]
    if (oldest) throw tooMany(new Date(oldest.at.getTime() + windowMs), now)
  }
  const id = newId(now)
  for (const subject of [...subjects, ...noted]) await insertAttempt(tx).execute({ id, subject, at: now })
  return id
}

/**
 * Counts a mail that somebody who manages users has sent to an address. Anybody may register an institution, and manages its
 * users: nobody's mailbox is filled by inviting it again and again. Fails (429) after five in five minutes.
 */
export const countMail = (tx: Tx, emailKey: string, now: Date): Promise<unknown> =>
  countAttempt(tx, [accountOf('sent', emailKey)], now)

const [firstPauseMs, longestPauseMs] = [250, 5000]
/** From so many failures on the pause is the longest. An account under attack may have a hundred thousand. */
const mostCounted = mostAttempts + 1 + Math.ceil(Math.log2(longestPauseMs / firstPauseMs))

/**
 * How long the next attempt for an account has to wait, by earlier failures from anywhere: guesses from many addresses
 * become slow, and its user is never locked out.
 */
export async function pauseFor(db: Db, account: string, now: Date): Promise<number> {
  const { length } = await recentOf(db, account, now)
  return length <= mostAttempts ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (length - mostAttempts - 1))
}

/** Removes an attempt that succeeded or was never made. */
export const forgive = (tx: Tx, id: string): Promise<unknown> => deleteAttempt(tx).execute({ id })

/** Removes all failures of an account: its user has authenticated. */
export const forgiveAll = (tx: Tx, subject: string): Promise<unknown> => deleteSubject(tx).execute({ subject })

/** Removes all attempts for an account, and with them their counts for its addresses. */
export const forgiveAccount = (tx: Tx, account: string): Promise<unknown> =>
  deleteOfSubject(tx).execute({ subject: account })

/** Deletes expired attempts. */
export const deleteOldAttempts = deleteSome(attempts, { key: attempts.id, at: attempts.at, keptMs: windowMs })

/** The newest first. Attempts far in the future were counted by a wrong clock that has been corrected. */
const recentOf = (db: Db, subject: string, now: Date) =>
  recentAttempts(db).execute({
    subject,
    after: new Date(now.getTime() - windowMs),
    upTo: new Date(now.getTime() + windowMs),
  })

function tooMany(resetAt: Date, now: Date) {
  const seconds = Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1000))
  return fail('RATE_LIMITED', {
    details: { limit: mostAttempts, remaining: 0, resetAt: resetAt.toISOString() },
    headers: {
      'retry-after': String(seconds),
      ratelimit: `"attempts";r=0;t=${seconds}`,
      'ratelimit-policy': `"attempts";q=${mostAttempts};w=${windowMs / 1000}`,
    },
  })
}

const insertAttempt = insertInto(attempts)
const recentAttempts = prepared((db) =>
  db
    .select({ at: attempts.at })
    .from(attempts)
    .where(
      and(eq(attempts.subject, param('subject')), gt(attempts.at, param('after')), lte(attempts.at, param('upTo'))),
    )
    .orderBy(desc(attempts.at))
    .limit(mostCounted),
)
const deleteAttempt = deleteBy(attempts, 'id')
const deleteSubject = deleteBy(attempts, 'subject')
const deleteOfSubject = prepared((db) => {
  const ids = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(eq(attempts.subject, param('subject')))
  return db.delete(attempts).where(inArray(attempts.id, ids))
})
