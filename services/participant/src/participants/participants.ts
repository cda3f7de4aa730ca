import {
  ParticipantCreated,
  ParticipantDeleted,
  type ParticipantRecord,
  type ParticipantState,
  ParticipantUpdated,
} from '@bursar/contracts/participant'
import { and, changedRecords, type Db, emit, eq, folded, isNull, param, params, prepared, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { indexRouterData } from '../router-data/router-data'
import { searchableText } from '../router-data/words'
import { unfinishedSagaOf } from '../sagas/saga'
import type { ResolvedChanges } from '../sagas/saga-parts'
import { participants } from './participants.table'

export type ParticipantRow = typeof participants.$inferSelect

/** What the replicas of other services follow. */
export const participantRecords = changedRecords('participant', participants)

/** A participant that is not deleted, live or not yet. */
export async function readParticipant(db: Db, id: string): Promise<ParticipantRow | undefined> {
  const [row] = await participantById(db).execute({ id })
  return row
}

/** A participant that callers see. Fails (404) when there is none. */
export async function liveParticipant(db: Db, id: string): Promise<ParticipantRow> {
  const row = await readParticipant(db, id)
  if (!row?.live) throw fail('NOT_FOUND')
  return row
}

/** A participant with its mark, live or deleted. Fails (404) when there is none. */
export async function getParticipantState(db: Db, id: string): Promise<ParticipantState> {
  const state = await participantRecords.stateOf(db, id)
  if (!state) throw fail('NOT_FOUND')
  return { ...toRecord(state.row), ...state.mark }
}

/** The owner of the API key with this hash: a participant that is live, or whose creation is under way. */
export async function keyOwner(db: Db, keyHash: string): Promise<ParticipantRow | undefined> {
  const [row] = await participantByKeyHash(db).execute({ keyHash })
  return row
}

/** An API key belongs to one participant only. */
export const keyTaken = () => fail('CONFLICT', { message: 'Another participant has this authConsumerId' })

/** The parts of a new row. */
export interface NewRow {
  id: string
  institutionName: string
  routerData: Record<string, unknown> | null
  keyHash: string
  sealedKey: string
}

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

/** Changes the given fields, with the event. Fails (409) when the new API key is another participant's. */
export async function applyChanges(
  tx: Tx,
  row: ParticipantRow,
  changes: ResolvedChanges & Partial<Pick<ParticipantRow, 'omnibusAccountId' | 'feePayerAccountId'>>,
  now: Date,
): Promise<void> {
  if (changes.keyHash !== undefined) {
    const owner = await keyOwner(tx, changes.keyHash)
    if (owner && owner.id !== row.id) throw keyTaken()
  }
  const changed: ParticipantRow = { ...row, ...changes, updatedAt: now }
  changed.searchName = folded(changed.institutionName)
  if (changes.routerData !== undefined) {
    changed.routerText = searchableText(changed.routerData)
    await indexRouterData(tx, row.id, changed.routerData)
  }
  await updateParticipant(tx).execute(changed)
  await emit(tx, ParticipantUpdated, await newState(tx, changed), now)
}

/**
 * Marks a participant deleted; its customers stay as they are. Fails when there is none (404), or a change of it is under
 * way (409).
 */
export async function deleteParticipant(tx: Tx, id: string, now = new Date()): Promise<void> {
  const row = await liveParticipant(tx, id)
  if (await unfinishedSagaOf(tx, id)) throw fail('CONFLICT')
  const deleted: ParticipantRow = { ...row, updatedAt: now, deletedAt: now }
  await updateParticipant(tx).execute(deleted)
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

/** The record as it goes to other services. */
export const toRecord = (row: ParticipantRow): ParticipantRecord => ({
  id: row.id,
  institutionName: row.institutionName,
  omnibusAccountId: row.omnibusAccountId,
  feePayerAccountId: row.feePayerAccountId,
  deletedAt: row.deletedAt?.toISOString() ?? null,
})

/** Marks a state that was just stored. */
const newState = async (tx: Tx, row: ParticipantRow): Promise<ParticipantState> => ({
  ...toRecord(row),
  ...(await participantRecords.mark(tx, row.id)),
})

const participantById = prepared((db) =>
  db
    .select()
    .from(participants)
    .where(and(eq(participants.id, param('id')), isNull(participants.deletedAt))),
)
const participantByKeyHash = prepared((db) =>
  db
    .select()
    .from(participants)
    .where(and(eq(participants.keyHash, param('keyHash')), isNull(participants.deletedAt))),
)
const insertParticipant = prepared((db) => db.insert(participants).values(params(participants)))
const updateParticipant = prepared((db) =>
  db
    .update(participants)
    .set(params(participants) as Partial<ParticipantRow>)
    .where(eq(participants.id, param('id'))),
)
