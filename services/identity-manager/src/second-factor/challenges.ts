import { type Db, deleteBy, insertInto, rowBy, type Tx } from '@bursar/store'
import { deleteSome } from '../delete-some'
import { fail } from '../errors'
import { digest, isInTime, newToken } from '../secret-tokens'
import { loginChallenges } from './second-factor.table'

type ChallengeRow = typeof loginChallenges.$inferSelect

/** The life of a challenge. */
export const challengeSeconds = 300

/** How a log-in passed its first factor. */
interface CameBy {
  /** Its known device; null for none. */
  device: string | null
  viaProvider: boolean
}

/** Records that a log-in passed its first factor: the password, or the provider. */
export async function createChallenge(tx: Tx, userId: string, cameBy: CameBy, now: Date): Promise<string> {
  const challenge = newToken()
  const expiresAt = new Date(now.getTime() + challengeSeconds * 1000)
  const row: ChallengeRow = { hash: digest(challenge), userId, ...cameBy, expiresAt }
  await insertChallenge(tx).execute(row)
  return challenge
}

/** Fails (401) for an expired, used or unknown one. */
export async function getChallenge(db: Db, challenge: string, now: Date): Promise<ChallengeRow> {
  const row = await byHash(db, digest(challenge))
  if (!row || !isInTime(row, 2 * challengeSeconds * 1000, now)) throw notValid()
  return row
}

export const notValid = () =>
  fail('UNAUTHORIZED', { message: 'The log-in has taken too long, or was done: log in again' })

export const deleteChallenge = (tx: Tx, { hash }: ChallengeRow): Promise<unknown> => deleteByHash(tx).execute({ hash })

/** Ends a user's log-ins that await a code. */
export const deleteChallengesOf = (tx: Tx, userId: string): Promise<unknown> => deleteByUser(tx).execute({ userId })

/** Deletes expired challenges. */
export const deleteOldChallenges = deleteSome(loginChallenges, {
  key: loginChallenges.hash,
  at: loginChallenges.expiresAt,
})

const insertChallenge = insertInto(loginChallenges)
const byHash = rowBy(loginChallenges, 'hash')
const deleteByHash = deleteBy(loginChallenges, 'hash')
const deleteByUser = deleteBy(loginChallenges, 'userId')
