import { type Db, eq, param, prepared, type Tx } from '@bursar/store'
import { meta } from '@bursar/store/schema'
import type { ChainEnd } from './chain'

/** The end of the chain is kept beside it, so that rows that are cut off there are missed. */
const name = 'audit_trail_head'

const headValue = prepared((db) =>
  db
    .select({ value: meta.value })
    .from(meta)
    .where(eq(meta.key, param('key'))),
)
const writeHead = prepared((db) =>
  db
    .insert(meta)
    .values({ key: param('key'), value: param('value') })
    .onConflictDoUpdate({ target: meta.key, set: { value: param('value') } }),
)

export async function keptHead(db: Db): Promise<ChainEnd | null> {
  const [row] = await headValue(db).execute({ key: name })
  const [, number, hash] = /^(\d+):([0-9a-f]{64})$/.exec(row?.value ?? '') ?? []
  return number && hash ? { number: Number(number), hash } : null
}

export const keepHead = async (tx: Tx, { number, hash }: ChainEnd): Promise<void> => {
  await writeHead(tx).execute({ key: name, value: `${number}:${hash}` })
}
