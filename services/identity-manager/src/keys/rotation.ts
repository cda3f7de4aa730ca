import type { IdentityManagerDeps } from '../deps'
import {
  deleteOldKeys,
  dropRetiredKeys,
  findSigningKey,
  insertFirstKeys,
  isDue,
  newSigningKey,
  rotateKeys,
} from './signing-keys'

type Rotating = Pick<IdentityManagerDeps, 'store' | 'seal' | 'now' | 'config'>

/** Makes the first keys of a new deployment. */
export async function ensureKeys({ store, seal, now }: Pick<Rotating, 'store' | 'seal' | 'now'>): Promise<void> {
  if (await findSigningKey(store.read)) return
  const [first, next] = await Promise.all([newSigningKey(seal, now()), newSigningKey(seal, now())])
  await store.commit((tx) => insertFirstKeys(tx, first, next, now()))
}

/** Rotates the keys when their time has come, and deletes old ones. */
export async function rotateWhenDue({ store, seal, now, config }: Rotating): Promise<void> {
  const signing = await findSigningKey(store.read)
  const fresh = signing && isDue(signing, config.keyDays, now()) ? await newSigningKey(seal, now()) : null
  await store.commit(async (tx) => {
    const current = await findSigningKey(tx)
    // Another process may have been faster.
    if (fresh && current && isDue(current, config.keyDays, now())) await rotateKeys(tx, fresh, now())
    await deleteOldKeys(tx, now())
  })
}

/**
 * Has the next key sign from now on. `dropRetired` also takes back the keys before, and with them every access token
 * that they have signed. Answers the id of the key that signs.
 */
export async function rotateNow(
  { store, seal, now }: Pick<Rotating, 'store' | 'seal' | 'now'>,
  { dropRetired }: { dropRetired: boolean },
): Promise<string> {
  const fresh = await newSigningKey(seal, now())
  return await store.commit(async (tx) => {
    await rotateKeys(tx, fresh, now())
    if (dropRetired) await dropRetiredKeys(tx)
    return (await findSigningKey(tx))?.kid ?? ''
  })
}
