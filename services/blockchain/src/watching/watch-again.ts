import { type Db, metaValue, putMetaValue, type Tx } from '@bursar/store'
import { findCursor, putCursor, rewind } from './cursors'
import { cursors } from './watching.table'

// An address that was first watched after the backup is unknown to a database that was restored, until the wallet
// service sends it again, which it does once a day. Its deposits meanwhile are in blocks that have already been read.

/** The cursor that stores the position of a network at the restore. */
const restoredPlace = '(restored)'
const metaKey = 'watch_again'
/** Twice the interval of the wallet service. */
const againMs = 48 * 60 * 60_000

interface WatchAgain {
  since: number
  until: number
}

/** Stores the position of each network. `since`: nothing before is missing in this database. */
export async function noteWatchAgain(tx: Tx, since: Date, now: Date): Promise<void> {
  for (const { network, account, block, hash } of await tx.select().from(cursors)) {
    if (account === '') await putCursor(tx, network, { block, hash }, restoredPlace)
  }
  const noted: WatchAgain = { since: since.getTime(), until: now.getTime() + againMs }
  await putMetaValue(tx, metaKey, JSON.stringify(noted))
}

/**
 * The time from which a new address counts as watched. Soon after a restore it may have been watched before:
 * since the state to which the database was restored, and the blocks since then are read again.
 */
export async function watchedSince(tx: Tx, network: string, now: Date): Promise<Date> {
  const noted = await readNoted(tx)
  if (!noted || now.getTime() > noted.until) return now
  const [back, current] = [await findCursor(tx, network, restoredPlace), await findCursor(tx, network)]
  if (back && current && current.block > back.block) await rewind(tx, network, back)
  return new Date(noted.since)
}

/** Whether this database was ever restored from an older backup. */
export const wasEverSetBack = async (db: Db): Promise<boolean> => (await readNoted(db)) !== null

async function readNoted(db: Db): Promise<WatchAgain | null> {
  const text = await metaValue(db, metaKey)
  return text === undefined ? null : JSON.parse(text)
}
