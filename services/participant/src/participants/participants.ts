import {
  ParticipantCreated,
  ParticipantDeleted,
  type ParticipantRecord,
  type ParticipantState,
  ParticipantUpdated,
} from '@bursar/contracts/participant'
import { changedRecords, type Db, emit, folded, insertInto, isNull, rowBy, type Tx, updateBy } from '@bursar/store'
import { endFormerKeys, findFormerKey, keepFormerKey } from '../api-keys/former-keys'
import { fail } from '../errors'
import { indexRouterData } from '../router-data/router-data'
import { searchableText } from '../router-data/words'
import { unfinishedSagaOf } from '../sagas/saga'
import type { ResolvedChanges } from '../sagas/saga-parts'
import { participants } from './participants.table'

export type ParticipantRow = typeof participants.$inferSelect

/** The change feed that other services' replicas follow. */
export const participantRecords = changedRecords('participant', participants)

/** A participant that is not deleted, whether live or not. */
export const readParticipant = rowBy(participants, 'id', isNull(participants.deletedAt))

/** A participant that is visible to callers. */
export async function liveParticipant(db: Db, id: string): Promise<ParticipantRow> {
  const row = await readParticipant(db, id)
  if (!row?.live) throw fail('NOT_FOUND')
  return row
}

/** A participant with its mark, live or deleted. */
export async function participantState(db: Db, id: string): Promise<ParticipantState> {
  const state = await participantRecords.stateOf(db, id)
  if (!state) throw fail('NOT_FOUND')
  return { ...toRecord(state.row), ...state.mark }
}

/**
 * The participant that holds the API key with this hash, so that no other may: it is live, or its creation is under
 * way. Former keys count as well.
 */
export async function keyHolder(db: Db, keyHash: string, now: Date): Promise<ParticipantRow | undefined> {
  const row = await participantByKeyHash(db, keyHash)
  if (row) return row
  const former = await findFormerKey(db, keyHash, now)
  return former && (await readParticipant(db, former.participantId))
}

/** The owner of the API key with this hash, while it is valid. */
export async function keyOwner(db: Db, keyHash: string, now: Date): Promise<ParticipantRow | undefined> {
  const row = await keyHolder(db, keyHash, now)
  const hasEnded = row?.keyHash === keyHash && row.keyValidUntil !== null && row.keyValidUntil <= now
  return row?.live && !hasEnded ? row : undefined
}

/** An API key belongs to one participant only. */
export const keyTaken = () => fail('CONFLICT', { message: 'Another participant has this authConsumerId' })

/** The parts of a new row. */
type NewRow = Pick<ParticipantRow, 'id' | 'institutionName' | 'routerData' | 'keyHash' | 'keyValidUntil' | 'sealedKey'>

/** Stores a participant that is not live yet. The caller has checked that its key is free. */
export async function addParticipant(tx: Tx, input: NewRow, now: Date): Promise<ParticipantRow> {
  const row: ParticipantRow = {
    ...input,
    live: false,
    searchName: folded(input.institutionName),
    routerText: searchableText(input.routerData),
    omnibusAccountId: null,
    feePayerAccountId: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  await insertParticipant(tx).execute(row)
  await indexRouterData(tx, row.id, row.routerData)
  return row
}

/** Makes a participant visible to callers, with its event. */
export async function goLive(tx: Tx, row: ParticipantRow, now: Date): Promise<ParticipantRow> {
  const live: ParticipantRow = { ...row, live: true, updatedAt: row.createdAt }
  await updateParticipant(tx).execute(live)
  await emit(tx, ParticipantCreated, await newState(tx, live), now)
  return live
}

/** The fields of a participant that can change together. */
type Changes = ResolvedChanges &
  Partial<Pick<ParticipantRow, 'omnibusAccountId' | 'feePayerAccountId' | 'keyValidUntil'>> & {
    /** With a new API key: the latest expiry of the earlier ones. Without it a set one has a day, an issued one its own end. */
    previousUntil?: Date
  }

const dayMs = 24 * 60 * 60 * 1000

/**
 * Earlier keys stay valid until they expire, but not beyond `until`. Only the main API ends a key that it issued: it
 * gives that key again with each new name, and one that was forgotten here would replace the one that was set.
 */
async function replaceKey(tx: Tx, row: ParticipantRow, until: Date | undefined, now: Date): Promise<void> {
  const { id: participantId, keyHash, keyValidUntil } = row
  if (until) await endFormerKeys(tx, participantId, until)
  const own = keyValidUntil ?? until ?? new Date(now.getTime() + dayMs)
  await keepFormerKey(tx, { keyHash, participantId, validUntil: until && until < own ? until : own }, now)
}

/** Changes the given fields, with the event. Fails (409) when the new API key is another participant's. */
export async function applyChanges(
  tx: Tx,
  row: ParticipantRow,
  { previousUntil, ...changes }: Changes,
  now: Date,
): Promise<void> {
  const changed: ParticipantRow = { ...row, ...changes, updatedAt: now }
  if (changes.keyHash !== undefined && changes.keyHash !== row.keyHash) {
    const holder = await keyHolder(tx, changes.keyHash, now)
    if (holder && holder.id !== row.id) throw keyTaken()
    changed.keyValidUntil = changes.keyValidUntil ?? null
    await replaceKey(tx, row, previousUntil, now)
  }
  changed.searchName = folded(changed.institutionName)
  if (changes.routerData !== undefined) {
    changed.routerText = searchableText(changed.routerData)
    await indexRouterData(tx, row.id, changed.routerData)
  }
  await updateParticipant(tx).execute(changed)
  await emit(tx, ParticipantUpdated, await newState(tx, changed), now)
}

/** Sets when the participant's present API key ends. */
export async function endKey(tx: Tx, { id, keyValidUntil }: ParticipantRow, end: Date): Promise<void> {
  if (keyValidUntil?.getTime() !== end.getTime()) await updateKeyEnd(tx).execute({ id, keyValidUntil: end })
}

/**
 * Marks a participant deleted; its customers stay as they are. Fails when there is none (404), or a change of it is
 * under way (409).
 */
export async function deleteParticipant(tx: Tx, id: string, now: Date): Promise<void> {
  const row = await liveParticipant(tx, id)
  if (await unfinishedSagaOf(tx, id)) throw fail('CONFLICT')
  const deleted: ParticipantRow = { ...row, updatedAt: now, deletedAt: now }
  await updateParticipant(tx).execute(deleted)
  await endFormerKeys(tx, id, now)
  await indexRouterData(tx, id, null)
  await emit(tx, ParticipantDeleted, await newState(tx, deleted), now)
}

/** Drops a participant whose creation failed: callers have not seen it, and its key is free again. */
export async function dropParticipant(tx: Tx, id: string, now: Date): Promise<void> {
  const row = await readParticipant(tx, id)
  if (!row) return
  await updateParticipant(tx).execute({ ...row, deletedAt: now })
  await indexRouterData(tx, id, null)
}

/** The record as other services get it. */
export const toRecord = (row: ParticipantRow): ParticipantRecord => ({
  id: row.id,
  institutionName: row.institutionName,
  omnibusAccountId: row.omnibusAccountId,
  feePayerAccountId: row.feePayerAccountId,
  deletedAt: row.deletedAt?.toISOString() ?? null,
})

/** The state with the mark (epoch and version) of its last change. */
const newState = async (tx: Tx, row: ParticipantRow): Promise<ParticipantState> => ({
  ...toRecord(row),
  ...(await participantRecords.mark(tx, row.id)),
})

const participantByKeyHash = rowBy(participants, 'keyHash', isNull(participants.deletedAt))
const insertParticipant = insertInto(participants)
const updateKeyEnd = updateBy(participants, 'id', ['keyValidUntil'])
const updateParticipant = updateBy(participants, 'id')
