import { type Db, deleteBy, eq, insertInto, lt, param, prepared, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { digest, newToken } from '../secret-tokens'
import { loginChallenges } from './second-factor.table'

type ChallengeRow = typeof loginChallenges.$inferSelect

/** How long a code can be waited for. */
export const challengeSeconds = 300

/** How a log-in came as far as its code. */
export interface CameBy {
  /** The known device that it comes from; null for none. */
  device: string | null
  viaProvider: boolean
}

/** Notes that the password of a log-in was right, or that the provider has said who it is. */
export async function createChallenge(
  tx: Tx,
  { id, passwordHash }: { id: string; passwordHash: string | null },
  cameBy: CameBy,
  now: Date,
): Promise<string> {
  const challenge = newToken()
  const expiresAt = new Date(now.getTime() + challengeSeconds * 1000)
  const row: ChallengeRow = {
    hash: digest(challenge),
    userId: id,
    passwordHash: passwordHash ?? '',
    ...cameBy,
    expiresAt,
  }
  await insertChallenge(tx).execute(row)
  return challenge
}

/** Fails (401) for one that is over, was used, or never was one; an end further off than it can be is a wrong clock's. */
export async function getChallenge(db: Db, challenge: string, now: Date): Promise<ChallengeRow> {
  const [row] = await byHash(db).execute({ hash: digest(challenge) })
  const leftMs = row ? row.expiresAt.getTime() - now.getTime() : 0
  if (!row || leftMs <= 0 || leftMs > 2 * challengeSeconds * 1000) throw notValid()
  return row
}

export const notValid = () =>
  fail('UNAUTHORIZED', { message: 'The log-in has taken too long, or was done: log in again' })

export const deleteChallenge = (tx: Tx, { hash }: ChallengeRow): Promise<unknown> => deleteByHash(tx).execute({ hash })

/** Ends the log-ins of a user that wait for a code. */
export const deleteChallengesOf = (tx: Tx, userId: string): Promise<unknown> => deleteByUser(tx).execute({ userId })

/** Deletes those that are over. */
export const deleteOldChallenges = (tx: Tx, now: Date): Promise<unknown> => deleteExpired(tx).execute({ now })

const isIt = eq(loginChallenges.hash, param('hash'))
const insertChallenge = insertInto(loginChallenges)
const byHash = prepared((db) => db.select().from(loginChallenges).where(isIt))
const deleteByHash = prepared((db) => db.delete(loginChallenges).where(isIt))
const deleteByUser = deleteBy(loginChallenges, 'userId')
const deleteExpired = prepared((db) => db.delete(loginChallenges).where(lt(loginChallenges.expiresAt, param('now'))))
