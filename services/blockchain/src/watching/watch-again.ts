import { type Db, metaValue, putMetaValue, type Tx } from '@bursar/store'
import { findCursor, putCursor, rewind } from './cursors'
import { cursors } from './watching.table'

// An address that was first watched after the backup is unknown to a database that was set back, until the wallet service
// hands it over again, which it does once a day. What has come to it meanwhile is in blocks that have been read by then.

/** The account under which it is kept where the reading of a network had come to. */
const restoredPlace = '(restored)'
const metaKey = 'watch_again'
/** Twice as long as the wallet service takes. */
const againMs = 48 * 60 * 60_000

interface WatchAgain {
  since: number
  until: number
}

/** Keeps where the reading of each network had come to. `since`: nothing in this database is missing before. */
export async function noteWatchAgain(tx: Tx, since: Date, now: Date): Promise<void> {
  for (const { network, account, block, hash } of await tx.select().from(cursors)) {
    if (account === '') await putCursor(tx, network, { block, hash }, restoredPlace)
  }
  const noted: WatchAgain = { since: since.getTime(), until: now.getTime() + againMs }
  await putMetaValue(tx, metaKey, JSON.stringify(noted))
}

/**
 * Since when an address counts as watched that was not until now. Soon after a restore it may have been watched before:
 * since the state to which the database was set back, and the blocks since then are read again.
 */
export async function watchedSince(tx: Tx, network: string, now: Date): Promise<Date> {
  const noted = await readNoted(tx)
  if (!noted || now.getTime() > noted.until) return now
  const [back, current] = [await findCursor(tx, network, restoredPlace), await findCursor(tx, network)]
  if (back && current && current.block > back.block) await rewind(tx, network, back)
  return new Date(noted.since)
}

/** Whether this database was ever set back to an older state. */
export const wasEverSetBack = async (db: Db): Promise<boolean> => (await readNoted(db)) !== null

async function readNoted(db: Db): Promise<WatchAgain | null> {
  const text = await metaValue(db, metaKey)
  return text === undefined ? null : JSON.parse(text)
}
