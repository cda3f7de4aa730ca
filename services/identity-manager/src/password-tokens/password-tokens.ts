import { type Db, deleteBy, insertInto, rowBy, type Tx } from '@bursar/store'
import { deleteSome } from '../delete-some'
import { fail } from '../errors'
import { digest, isInTime, newToken } from '../secret-tokens'
import { passwordTokens, type TokenKind } from './password-tokens.table'

type TokenRow = typeof passwordTokens.$inferSelect

/** The life of a token for a reset or a change (decisions, Passwords). */
export const resetMinutes = 10

const minuteMs = 60_000
/** The tolerance for an expiry beyond the maximum, since clocks are corrected by seconds. */
const toleranceMs = 5 * minuteMs
const longestMs = 90 * 24 * 60 * minuteMs

/** Creates a token that sets the user's password once. Only its digest is stored. */
export async function createPasswordToken(
  tx: Tx,
  { userId, kind, lifeMs }: { userId: string; kind: TokenKind; lifeMs: number },
  now: Date,
): Promise<string> {
  const token = newToken()
  const row: TokenRow = {
    hash: digest(token),
    kind,
    userId,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifeMs),
  }
  await insertToken(tx).execute(row)
  return token
}

/**
 * The user and the kind of a token. Fails (400), with the same message for each reason, when it is of another kind, was
 * used, or has expired.
 */
export async function getPasswordToken(
  db: Db,
  token: string,
  kinds: readonly TokenKind[],
  now: Date,
): Promise<TokenRow> {
  const row = await tokenByHash(db, digest(token))
  const lifeMs = row?.kind === 'invitation' ? longestMs : resetMinutes * minuteMs
  if (row && kinds.includes(row.kind) && isInTime(row, lifeMs + toleranceMs, now)) return row
  throw notValid()
}

/** One answer for every problem of a token. */
export const notValid = () =>
  fail('INVALID_REQUEST', { message: 'The token is not valid: it was used, has expired, or never was one' })

/** Deletes all tokens of a user: one was used, its address has changed, or the user was deleted. */
export const deletePasswordTokens = (tx: Tx, userId: string): Promise<unknown> => deleteTokens(tx).execute({ userId })

/** Deletes expired tokens. */
export const deleteOldPasswordTokens = deleteSome(passwordTokens, {
  key: passwordTokens.hash,
  at: passwordTokens.expiresAt,
})

const insertToken = insertInto(passwordTokens)
const tokenByHash = rowBy(passwordTokens, 'hash')
const deleteTokens = deleteBy(passwordTokens, 'userId')
