import type { Seal } from '@bursar/http'
import { eq, insertInto, param, prepared, type Tx } from '@bursar/store'
import { deleteSome } from '../delete-some'
import { fail } from '../errors'
import { providerLogIns } from '../provider-accounts/single-sign-on.table'
import { digest, isInTime, newToken } from '../secret-tokens'
import type { Checks } from './provider'

/** How long a log-in at the provider may take. */
export const logInSeconds = 600

/** Stores the data that verifies the provider's answer. Returns the secret that the browser brings back with it. */
export async function keepLogIn(tx: Tx, seal: Seal, checks: Checks, now: Date): Promise<string> {
  const attempt = newToken()
  const hash = digest(attempt)
  const expiresAt = new Date(now.getTime() + logInSeconds * 1000)
  await insertLogIn(tx).execute({ hash, checks: seal.seal(JSON.stringify(checks), hash), expiresAt })
  return attempt
}

/** Takes it, once. Fails (401) for an expired, used or unknown one. */
export async function takeLogIn(tx: Tx, seal: Seal, attempt: string, now: Date): Promise<Checks> {
  const hash = digest(attempt)
  const [row] = await deleteLogIn(tx).execute({ hash })
  if (!row || !isInTime(row, 2 * logInSeconds * 1000, now)) throw over()
  return JSON.parse(seal.open(row.checks, hash)) as Checks
}

const over = () =>
  fail('UNAUTHORIZED', { message: 'The log-in has taken too long, or was done in another window: begin again' })

/** Deletes expired log-ins. */
export const deleteOldLogIns = deleteSome(providerLogIns, { key: providerLogIns.hash, at: providerLogIns.expiresAt })

const insertLogIn = insertInto(providerLogIns)
const deleteLogIn = prepared((db) =>
  db
    .delete(providerLogIns)
    .where(eq(providerLogIns.hash, param('hash')))
    .returning({ checks: providerLogIns.checks, expiresAt: providerLogIns.expiresAt }),
)
