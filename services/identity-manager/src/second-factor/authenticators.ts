import { randomBytes } from 'node:crypto'
import type { RoleName } from '@bursar/contracts/identity-manager'
import type { Seal } from '@bursar/http'
import {
  and,
  count,
  type Db,
  deleteBy,
  eq,
  insertInto,
  isNull,
  param,
  prepared,
  rowBy,
  type Tx,
  updateBy,
  upsertInto,
} from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { digest } from '../secret-tokens'
import { endAdding, passkeysOf, removePasskeysOf } from './passkeys'
import { authenticators, recoveryCodes } from './second-factor.table'
import { base32, stepOfCode } from './totp'

type AuthenticatorRow = typeof authenticators.$inferSelect
type Codes = Pick<IdentityManagerDeps, 'seal'>

const secretBytes = 20
const codesOfUser = 10

/** The second factors: codes of an authenticator (`code`), signatures of a passkey. */
export type Method = 'code' | 'passkey'

/** The factors that the user has set up; empty when the password is enough. Recovery codes replace either. */
export async function methodsOf(db: Db, userId: string): Promise<Method[]> {
  const hasCodes = (await findAuthenticator(db, userId))?.confirmedAt != null
  const hasPasskey = (await passkeysOf(db, userId)).length > 0
  return [...(hasCodes ? (['code'] as const) : []), ...(hasPasskey ? (['passkey'] as const) : [])]
}

/** Whether the user's log-in requires more than a password. */
export const hasSecondFactor = async (db: Db, userId: string): Promise<boolean> =>
  (await methodsOf(db, userId)).length > 0

/** The authenticator of a user, confirmed or not. */
export const findAuthenticator = rowBy(authenticators, 'userId')

/** Fails (409) for a user that has one. */
export async function requireNoAuthenticator(db: Db, userId: string): Promise<void> {
  const known = await findAuthenticator(db, userId)
  if (known?.confirmedAt) throw fail('CONFLICT', { message: 'A second factor is already set up' })
}

/** Gives a user a new secret, which is active after its first correct code. Fails (409) when one is already active. */
export async function beginEnrolment(tx: Tx, seal: Seal, userId: string, now: Date): Promise<Uint8Array> {
  await requireNoAuthenticator(tx, userId)
  const secret = randomBytes(secretBytes)
  const sealed = seal.seal(secret.toString('base64'), userId)
  await putAuthenticator(tx).execute({ userId, secret: sealed, createdAt: now, confirmedAt: null, lastStep: 0 })
  return secret
}

/** Confirms a second factor by its first correct code. Returns the recovery codes; null for a wrong code. */
export async function confirmEnrolment(
  tx: Tx,
  { seal }: Codes,
  userId: string,
  code: string,
  now: Date,
): Promise<string[] | null> {
  const row = await findAuthenticator(tx, userId)
  if (!row || row.confirmedAt) throw fail('CONFLICT', { message: 'No authenticator awaits its first code' })
  if (!(await takeTotp(tx, seal, row, code, now))) return null
  const isFirst = !(await hasSecondFactor(tx, userId))
  await updateConfirmed(tx).execute({ userId, confirmedAt: now })
  if (isFirst) await endBegun(tx, userId)
  return await newRecoveryCodes(tx, userId, now)
}

/**
 * Ends the setting up of second factors that was begun with an earlier password, or before there was a second factor to
 * prove: a session alone could complete it.
 */
export async function endBegun(tx: Tx, userId: string): Promise<void> {
  await deleteUnconfirmed(tx).execute({ userId })
  await endAdding(tx, userId)
}

/** Uses up a code of the authenticator, or a recovery code. Returns false for a wrong or used one. */
export async function takeCode(tx: Tx, { seal }: Codes, userId: string, code: string, now: Date): Promise<boolean> {
  const row = await findAuthenticator(tx, userId)
  if (/^\d{6}$/.test(code)) return row?.confirmedAt != null && (await takeTotp(tx, seal, row, code, now))
  const [taken] = await takeRecovery(tx).execute({ userId, hash: hashOf(userId, code) })
  return taken !== undefined
}

async function takeTotp(tx: Tx, seal: Seal, row: AuthenticatorRow, code: string, now: Date): Promise<boolean> {
  const secret = Buffer.from(seal.open(row.secret, row.userId), 'base64')
  const step = stepOfCode(secret, code, row.lastStep, now)
  if (step === null) return false
  await updateStep(tx).execute({ userId: row.userId, lastStep: step })
  return true
}

/** Creates new recovery codes; earlier ones become void. */
export async function newRecoveryCodes(tx: Tx, userId: string, now: Date): Promise<string[]> {
  await deleteRecovery(tx).execute({ userId })
  const codes = Array.from({ length: codesOfUser }, () => spaced(base32(randomBytes(10))))
  for (const code of codes) await insertRecovery(tx).execute({ hash: hashOf(userId, code), userId, createdAt: now })
  return codes
}

export async function recoveryCodesLeft(db: Db, userId: string): Promise<number> {
  const [row] = await countRecovery(db).execute({ userId })
  return row?.left ?? 0
}

/** Removes the authenticator. */
export async function removeAuthenticator(tx: Tx, userId: string): Promise<void> {
  await deleteAuthenticator(tx).execute({ userId })
  await deleteUnneededCodes(tx, userId)
}

/** Recovery codes are kept only while there is a second factor. */
export async function deleteUnneededCodes(tx: Tx, userId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, userId))) await deleteRecovery(tx).execute({ userId })
}

/** Removes all second factors of a user. */
export async function removeSecondFactor(tx: Tx, userId: string): Promise<void> {
  await deleteAuthenticator(tx).execute({ userId })
  await removePasskeysOf(tx, userId)
  await deleteRecovery(tx).execute({ userId })
}

/**
 * Whether the user must set up a second factor before anything else: in production, those who approve or administer.
 */
export const mustHaveSecondFactor = (
  { environment }: Pick<IdentityManagerDeps['config'], 'environment'>,
  { roles }: { roles: readonly RoleName[] },
): boolean => environment === 'production' && (roles.includes('admin') || roles.includes('operator'))

const spaced = (text: string): string => (text.match(/.{4}/g) ?? []).join('-')
const hashOf = (userId: string, code: string): string =>
  digest(`recovery code ${userId} ${code.toUpperCase().replace(/[^A-Z2-7]/g, '')}`)

const putAuthenticator = upsertInto(authenticators, ['userId'], ['secret', 'createdAt', 'confirmedAt', 'lastStep'])
const deleteAuthenticator = deleteBy(authenticators, 'userId')
const deleteUnconfirmed = prepared((db) =>
  db.delete(authenticators).where(and(eq(authenticators.userId, param('userId')), isNull(authenticators.confirmedAt))),
)
const updateConfirmed = updateBy(authenticators, 'userId', ['confirmedAt'])
const updateStep = updateBy(authenticators, 'userId', ['lastStep'])
const ofUser = eq(recoveryCodes.userId, param('userId'))
const insertRecovery = insertInto(recoveryCodes)
const deleteRecovery = deleteBy(recoveryCodes, 'userId')
const takeRecovery = prepared((db) =>
  db
    .delete(recoveryCodes)
    .where(and(ofUser, eq(recoveryCodes.hash, param('hash'))))
    .returning({ hash: recoveryCodes.hash }),
)
const countRecovery = prepared((db) => db.select({ left: count() }).from(recoveryCodes).where(ofUser))
