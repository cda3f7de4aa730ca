import { meta } from '../schema/shared.table'
import { rowBy, upsertInto } from '../statements/plain'
import type { Db, Tx } from '../statements/statements'

/** The value of a name in the database's own metadata; undefined if there is none. */
export async function metaValue(db: Db, key: string): Promise<string | undefined> {
  return (await rowOf(db, key))?.value
}

/** The same for a number; 0 if there is none. */
export const metaNumber = async (db: Db, key: string): Promise<number> => Number((await metaValue(db, key)) ?? 0)

export const putMetaValue = (tx: Tx, key: string, value: string): Promise<unknown> => upsert(tx).execute({ key, value })

const rowOf = rowBy(meta, 'key')
const upsert = upsertInto(meta, ['key'], ['value'])
