import { meta } from '../schema/shared.table'
import { rowBy, upsertInto } from '../statements/plain'
import type { Db, Tx } from '../statements/statements'

/** The value of a name in the database's own metadata; undefined if there is none. */
export async function metaValue(db: Db, key: string): Promise<string | undefined> {
  return (await rowOf(db, key))?.value
}

export const putMetaValue = (tx: Tx, key: string, value: string): Promise<unknown> => upsert(tx).execute({ key, value })

const rowOf = rowBy(meta, 'key')
const upsert = upsertInto(meta, ['key'], ['value'])
