import { and, type Db, eq, gt, lte, param, prepared, type Tx, upsertInto } from '@bursar/store'
import { formerKeys } from './former-keys.table'

/** A key besides a participant's present one, by its hash. */
type FormerKey = typeof formerKeys.$inferSelect

/** A key that is still valid; undefined for none. */
export async function findFormerKey(db: Db, keyHash: string, now: Date): Promise<FormerKey | undefined> {
  const [row] = await keyByHash(db).execute({ keyHash, now })
  return row
}

/** Stores a key until it expires; expired keys are deleted. */
export async function keepFormerKey(tx: Tx, key: FormerKey, now: Date): Promise<void> {
  await putKey(tx).execute(key)
  await deleteEnded(tx).execute({ now })
}

/** Makes the keys besides a participant's present one expire at a time; those that expire earlier are unchanged. */
export async function endFormerKeys(tx: Tx, participantId: string, validUntil: Date): Promise<void> {
  await shorten(tx).execute({ participantId, validUntil })
}

const keyByHash = prepared((db) =>
  db
    .select()
    .from(formerKeys)
    .where(and(eq(formerKeys.keyHash, param('keyHash')), gt(formerKeys.validUntil, param('now')))),
)
const putKey = upsertInto(formerKeys, ['keyHash'], ['participantId', 'validUntil'])
const deleteEnded = prepared((db) => db.delete(formerKeys).where(lte(formerKeys.validUntil, param('now'))))
const shorten = prepared((db) =>
  db
    .update(formerKeys)
    .set({ validUntil: param('validUntil') })
    .where(and(eq(formerKeys.participantId, param('participantId')), gt(formerKeys.validUntil, param('validUntil')))),
)
