import { and, byKey, type Db, desc, eq, gt, lt, param, prepared, type Tx, upsertInto } from '@bursar/store'
import type { ScannedBlock } from '../networks/network'
import { cursors, readBlocks } from './watching.table'

export interface Cursor {
  block: number
  hash: string
}

/** The number of remembered blocks: deeper than any expected reorganisation. */
const remembered = 300

/** The position in reading a network, or one of its accounts; null at first. */
export async function findCursor(db: Db, network: string, account = ''): Promise<Cursor | null> {
  const [row] = await cursorOf(db).execute({ network, account })
  return row ?? null
}

export const putCursor = (tx: Tx, network: string, cursor: Cursor, account = ''): Promise<unknown> =>
  upsertCursor(tx).execute({ network, account, ...cursor })

/** Moves the cursor past these blocks, and remembers them. */
export async function advance(tx: Tx, network: string, blocks: readonly ScannedBlock[]): Promise<void> {
  const last = blocks.at(-1)
  if (!last) return
  for (const { number, hash } of blocks.slice(-remembered)) await putBlock(tx).execute({ network, number, hash })
  await forgetBelow(tx).execute({ network, number: last.number - remembered })
  await putCursor(tx, network, { block: last.number, hash: last.hash })
}

/** The remembered blocks, newest first. */
export const readRemembered = (db: Db, network: string): Promise<{ number: number; hash: string }[]> =>
  rememberedBlocks(db).execute({ network })

/** A block that was read, as long as it is remembered. */
export async function findRemembered(db: Db, network: string, number: number): Promise<{ hash: string } | null> {
  const [row] = await rememberedBlock(db).execute({ network, number })
  return row ?? null
}

/** Goes back to a block, and deletes later ones. */
export async function rewind(tx: Tx, network: string, cursor: Cursor): Promise<void> {
  await forgetAbove(tx).execute({ network, number: cursor.block })
  await putCursor(tx, network, cursor)
}

const cursorOf = prepared((db) =>
  db
    .select({ block: cursors.block, hash: cursors.hash })
    .from(cursors)
    .where(and(eq(cursors.network, param('network')), eq(cursors.account, param('account')))),
)
const upsertCursor = upsertInto(cursors, ['network', 'account'], ['block', 'hash'])
const putBlock = upsertInto(readBlocks, ['network', 'number'], ['hash'])
const isOfNetwork = eq(readBlocks.network, param('network'))
const rememberedBlocks = prepared((db) =>
  db
    .select({ number: readBlocks.number, hash: readBlocks.hash })
    .from(readBlocks)
    .where(isOfNetwork)
    .orderBy(desc(readBlocks.number)),
)
const rememberedBlock = byKey(readBlocks, 'network', { only: eq(readBlocks.number, param('number')) })
const forgetBelow = prepared((db) =>
  db.delete(readBlocks).where(and(isOfNetwork, lt(readBlocks.number, param('number')))),
)
const forgetAbove = prepared((db) =>
  db.delete(readBlocks).where(and(isOfNetwork, gt(readBlocks.number, param('number')))),
)
