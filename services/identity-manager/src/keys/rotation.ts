import { ConfigError, type Seal } from '@bursar/http'
import type { IdentityManagerDeps } from '../deps'
import {
  deleteOldKeys,
  findSigningKey,
  insertFirstKeys,
  isDue,
  newSigningKey,
  replaceKeys,
  rotateKeys,
  type SigningKeyRow,
} from './signing-keys'

type Rotating = Pick<IdentityManagerDeps, 'store' | 'seal' | 'now' | 'config'>

/** Creates the first keys of a new deployment. Throws ConfigError when existing keys cannot be decrypted. */
export async function ensureKeys({ store, seal, now }: Pick<Rotating, 'store' | 'seal' | 'now'>): Promise<void> {
  const known = await findSigningKey(store.read)
  if (known) return requireOpenable(known, seal)
  const [first, next] = await Promise.all([newSigningKey(seal, now()), newSigningKey(seal, now())])
  await store.commit((tx) => insertFirstKeys(tx, first, next, now()))
}

function requireOpenable({ kid, privateKey }: SigningKeyRow, seal: Seal): void {
  try {
    seal.open(privateKey, kid)
  } catch (cause) {
    throw new ConfigError('IDENTITY_SECRET_KEY, or identity.key, is not the key that encrypted the signing keys', {
      cause,
    })
  }
}

/** Rotates the keys when due, and deletes old ones. */
export async function rotateWhenDue({ store, seal, now, config }: Rotating): Promise<void> {
  const signing = await findSigningKey(store.read)
  const fresh = signing && isDue(signing, config.keyDays, now()) ? await newSigningKey(seal, now()) : null
  await store.commit(async (tx) => {
    const current = await findSigningKey(tx)
    // Another process may have rotated them first.
    if (fresh && current && isDue(current, config.keyDays, now())) await rotateKeys(tx, fresh, now())
    await deleteOldKeys(tx, now())
  })
}

/**
 * Makes the next key the signing key. `dropRetired` revokes all keys, and with them every access token
 * that they have signed. Returns the id of the signing key.
 */
export async function rotateNow(
  { store, seal, now }: Pick<Rotating, 'store' | 'seal' | 'now'>,
  { dropRetired }: { dropRetired: boolean },
): Promise<string> {
  const [first, next] = await Promise.all([newSigningKey(seal, now()), newSigningKey(seal, now())])
  return await store.commit(async (tx) => {
    if (dropRetired) await replaceKeys(tx, first, next, now())
    else await rotateKeys(tx, next, now())
    return (await findSigningKey(tx))?.kid ?? ''
  })
}
