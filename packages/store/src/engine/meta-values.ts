import { meta } from '../schema/shared.table'
import { byKey } from '../statements/plain'
import { type Db, param, params, prepared, type Tx } from '../statements/statements'

/** The value of a name in the database's own metadata; undefined if there is none. */
export async function metaValue(db: Db, key: string): Promise<string | undefined> {
  const [row] = await rowOf(db).execute({ key })
  return row?.value
}

export const putMetaValue = (tx: Tx, key: string, value: string): Promise<unknown> => upsert(tx).execute({ key, value })

const rowOf = byKey(meta, 'key')
const upsert = prepared((db) =>
  db
    .insert(meta)
    .values(params(meta))
    .onConflictDoUpdate({ target: meta.key, set: { value: param('value') } }),
)
