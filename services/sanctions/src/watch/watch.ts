import { AddressListed, type ScreeningSource } from '@bursar/contracts/sanctions'
import { and, type Db, emit, eq, inArray, newId, param, putAll, queryAmong, type Tx } from '@bursar/store'
import { requestDelivery } from '../callbacks/request-delivery'
import { watchedAddresses } from './watched-addresses.table'

export type WatchedRow = typeof watchedAddresses.$inferSelect

/** A screened address with its last result; it is screened again with each new list. */
export type ScreenedAddress = Pick<WatchedRow, 'key' | 'address' | 'blockchain' | 'listId' | 'listed'>

/** A screened address, and why it is watched. */
export interface Sighting extends ScreenedAddress {
  participantId: string | null
  /** The transaction whose counterparty it is; null for a screening only. */
  ledgerTransactionId: string | null
}

/**
 * Stores screened addresses. For a known one only its last transaction changes: that a newer list
 * has it is detected and reported only by the screening with that list (rescreen.ts).
 */
export async function watch(tx: Tx, sightings: readonly Sighting[], at: Date): Promise<void> {
  const known = await watchedAmong(tx, sightings)
  const changed = new Map<string, WatchedRow>()
  for (const { participantId: owner, ledgerTransactionId, ...screened } of sightings) {
    const participantId = owner ?? ''
    const name = nameOf({ ...screened, participantId })
    const row = changed.get(name) ?? known.get(name)
    if (!row) changed.set(name, { ...screened, participantId, ledgerTransactionId, createdAt: at })
    else if (ledgerTransactionId !== null) changed.set(name, { ...row, ledgerTransactionId })
  }
  await putWatched(tx, [...changed.values()])
}

/** Whether all of them are watched: then there is nothing to write. */
export async function areWatched(db: Db, sightings: readonly Omit<Sighting, 'ledgerTransactionId'>[]) {
  const known = await watchedAmong(db, sightings)
  return sightings.every(({ key, participantId }) => known.has(nameOf({ key, participantId: participantId ?? '' })))
}

const nameOf = ({ key, participantId }: Pick<WatchedRow, 'key' | 'participantId'>) => `${participantId} ${key}`

/** Those that are watched, by their names. */
async function watchedAmong(
  db: Db,
  sightings: readonly Pick<Sighting, 'key' | 'participantId'>[],
): Promise<Map<string, WatchedRow>> {
  const known = new Map<string, WatchedRow>()
  for (const [owner, some] of Map.groupBy(sightings, (sighting) => sighting.participantId)) {
    const keys = new Set(some.map(({ key }) => key))
    const rows = await watchedByKey(db, [...keys], { participantId: owner ?? '' })
    for (const row of rows) known.set(nameOf(row), row)
  }
  return known
}

const watchedByKey = queryAmong(
  (keys) => (db) =>
    db
      .select()
      .from(watchedAddresses)
      .where(and(inArray(watchedAddresses.key, keys), eq(watchedAddresses.participantId, param('participantId')))),
)
/** Those of these keys that are watched, for whomever. */
export const watchedKeys = queryAmong(
  (keys) => (db) =>
    db.select({ key: watchedAddresses.key }).from(watchedAddresses).where(inArray(watchedAddresses.key, keys)),
)
const putWatched = putAll(watchedAddresses, ['key', 'participantId'], ['ledgerTransactionId'])

/**
 * Reports that a watched address is now listed: an event, with its log tracker message, and a webhook `sanctions.hit`.
 */
export async function reportHit(
  tx: Tx,
  { address, blockchain, participantId: owner, ledgerTransactionId }: WatchedRow,
  source: ScreeningSource,
  { at, callbackUrl }: { at: Date; callbackUrl: string | undefined },
): Promise<void> {
  const participantId = owner || null
  const id = newId()
  const hit = { id, address, blockchain, participantId, ledgerTransactionId, source, at: at.toISOString() }
  await emit(tx, AddressListed, { v: 1, ...hit }, at)
  const data = { hitId: id, address, blockchain, transactionId: ledgerTransactionId, source }
  const delivery = {
    requestId: id,
    eventType: 'sanctions.hit' as const,
    participantId,
    callbackUrl,
    headers: null,
    data,
  }
  await requestDelivery(tx, delivery, at)
}
