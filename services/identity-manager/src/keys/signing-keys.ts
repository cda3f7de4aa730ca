import type { PublicKey } from '@bursar/contracts/identity-manager'
import type { Static } from '@bursar/contracts/schema'
import type { Seal } from '@bursar/http'
import { asc, byKey, type Db, deleteBy, insertInto, prepared, type Tx, updateBy } from '@bursar/store'
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { signingKeys } from './signing-keys.table'

export type SigningKeyRow = typeof signingKeys.$inferSelect

/** The life of an access token (decisions, Passwords, tokens). */
export const accessTokenSeconds = 15 * 60
export const accessTokenMs = accessTokenSeconds * 1000

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** How long a retired key is published after its last token has expired, since clocks differ. */
const marginMs = 5 * minuteMs

/** A new Ed25519 key, its private part encrypted for its id. */
export async function newSigningKey(seal: Seal, now: Date): Promise<SigningKeyRow> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const sealed = seal.seal(JSON.stringify(jwk), kid)
  const publicKey = jwk.x ?? ''
  return { kid, status: 'next', publicKey, privateKey: sealed, createdAt: now, activatedAt: null, retiredAt: null }
}

/** Makes the next key the signing key and retires the previous one. There must be a next one. */
export async function rotateKeys(tx: Tx, fresh: SigningKeyRow, now: Date): Promise<void> {
  const keys = await allKeys(tx).execute()
  for (const { kid, status, activatedAt } of keys) {
    if (status === 'signing') await setStatus(tx).execute({ kid, status: 'retired', activatedAt, retiredAt: now })
    if (status === 'next') await setStatus(tx).execute({ kid, status: 'signing', activatedAt: now, retiredAt: null })
  }
  await insertKey(tx).execute(fresh)
}

/** Creates the keys of a new deployment: the signing key and the next one. Changes nothing when there are keys. */
export async function insertFirstKeys(tx: Tx, first: SigningKeyRow, next: SigningKeyRow, now: Date): Promise<void> {
  if (await findSigningKey(tx)) return
  await insertKey(tx).execute({ ...first, status: 'signing', activatedAt: now })
  await insertKey(tx).execute(next)
}

/**
 * Whether the key is due for rotation. One activated in the future was activated by a wrong clock that
 * has been corrected.
 */
export function isDue({ activatedAt }: SigningKeyRow, keyDays: number, now: Date): boolean {
  const ageMs = now.getTime() - (activatedAt?.getTime() ?? 0)
  return ageMs >= keyDays * dayMs || ageMs < -dayMs
}

/** The signing key; undefined before the first start has created one. */
export async function findSigningKey(db: Db): Promise<SigningKeyRow | undefined> {
  const [row] = await keysByStatus(db).execute({ status: 'signing' })
  return row
}

/** The keys to verify with: the signing key, the next one, and those whose tokens may still be valid. */
export async function publishedKeys(db: Db, now: Date): Promise<Static<typeof PublicKey>[]> {
  const rows = await allKeys(db).execute()
  return rows.filter((row) => !isOver(row, now)).map(toPublicKey)
}

/** Deletes retired keys whose tokens have expired. */
export async function deleteOldKeys(tx: Tx, now: Date): Promise<void> {
  for (const row of await allKeys(tx).execute()) {
    if (isOver(row, new Date(now.getTime() - dayMs))) await deleteKey(tx).execute({ kid: row.kid })
  }
}

/**
 * Replaces all keys, because they may have leaked. The new ones are unknown, so verifiers
 * fetch the keys at the first token, and drop the old ones.
 */
export async function replaceKeys(tx: Tx, first: SigningKeyRow, next: SigningKeyRow, now: Date): Promise<void> {
  for (const { kid } of await allKeys(tx).execute()) await deleteKey(tx).execute({ kid })
  await insertFirstKeys(tx, first, next, now)
}

const isOver = ({ status, retiredAt }: SigningKeyRow, now: Date): boolean =>
  status === 'retired' && retiredAt !== null && retiredAt.getTime() + accessTokenMs + marginMs <= now.getTime()

const toPublicKey = ({ kid, publicKey }: SigningKeyRow): Static<typeof PublicKey> => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: publicKey,
  kid,
  alg: 'EdDSA',
  use: 'sig',
})

const insertKey = insertInto(signingKeys)
const allKeys = prepared((db) =>
  db.select().from(signingKeys).orderBy(asc(signingKeys.createdAt), asc(signingKeys.kid)),
)
const keysByStatus = byKey(signingKeys, 'status')
const setStatus = updateBy(signingKeys, 'kid', ['status', 'activatedAt', 'retiredAt'])
const deleteKey = deleteBy(signingKeys, 'kid')
