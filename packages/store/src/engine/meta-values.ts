import { eq } from 'drizzle-orm'
import { meta } from '../schema/shared.table'
import { deleteBy } from '../statements/plain'
import { type Db, param, params, prepared, type Tx } from '../statements/statements'

/** The value of a name in the database's own metadata; undefined if there is none. */
export async function metaValue(db: Db, key: string): Promise<string | undefined> {
  const [row] = await byKey(db).execute({ key })
  return row?.value
}

export const putMetaValue = (tx: Tx, key: string, value: string): Promise<unknown> => upsert(tx).execute({ key, value })

/** Removes the value of a name; true when there was one. */
export const takeMetaValue = async (tx: Tx, key: string): Promise<boolean> => (await remove(tx).execute({ key })) > 0

const remove = deleteBy(meta, 'key')
const byKey = prepared((db) =>
  db
    .select({ value: meta.value })
    .from(meta)
    .where(eq(meta.key, param('key'))),
)
const upsert = prepared((db) =>
  db
    .insert(meta)
    .values(params(meta))
    .onConflictDoUpdate({ target: meta.key, set: { value: param('value') } }),
)
