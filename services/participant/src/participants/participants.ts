import { ParticipantCreated, ParticipantDeleted, ParticipantUpdated } from '@bursar/contracts/participant'
import { and, type Db, emit, eq, folded, isNull, param, params, prepared, type Store, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { indexRouterData, searchableText } from '../router-data/router-data'
import { type ResolvedChanges, unfinishedSagaOf } from '../sagas/saga'
import { participants } from './participants.table'

export type ParticipantRow = typeof participants.$inferSelect

/** A participant that is not deleted, live or not yet. */
export async function readParticipant(connection: Db, id: string): Promise<ParticipantRow | undefined> {
  const [row] = await participantById(connection).execute({ id })
  return row
}

/** A participant that callers see. Fails when there is none. */
export async function liveParticipant(connection: Db, id: string): Promise<ParticipantRow> {
  const row = await readParticipant(connection, id)
  if (!row?.live) throw fail('NOT_FOUND')
  return row
}

/** Whose API key has this hash: a participant that is live, or one that is still being made. */
export async function keyOwner(connection: Db, keyHash: string): Promise<ParticipantRow | undefined> {
  const [row] = await participantByKeyHash(connection).execute({ keyHash })
  return row
}

/** An API key is one participant's alone. */
export const keyTaken = () => fail('CONFLICT', { message: 'Another participant has this authConsumerId' })

/** What a new row is made from. */
export interface NewRow {
  id: string
  institutionName: string
  routerData: Record<string, unknown> | null
  keyHash: string
  sealedKey: string
}

/** Stores a participant that is not live yet. The caller has seen to it that its key is free. */
export async function addParticipant(tx: Tx, input: NewRow, now: Date): Promise<ParticipantRow> {
  const row: ParticipantRow = {
    ...input,
    live: false,
    searchName: folded(input.institutionName),
    routerText: searchableText(input.routerData),
    omnibusAccountId: null,
    feePayerAccountId: null,
    version: 0,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  await insertParticipant(tx).execute(row)
  await indexRouterData(tx, row.id, row.routerData)
  return row
}

/** From now on it is there for callers; and says so. */
export async function goLive(tx: Tx, row: ParticipantRow, now: Date): Promise<void> {
  const live: ParticipantRow = { ...row, live: true, version: 1, updatedAt: row.createdAt }
  await updateParticipant(tx).execute(live)
  await emit(tx, ParticipantCreated, toState(live), now)
}

/** Changes what is given, and says so. Fails when the new API key is another's. */
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
  const changed: ParticipantRow = { ...row, ...changes, version: row.version + 1, updatedAt: now }
  changed.searchName = folded(changed.institutionName)
  if (changes.routerData !== undefined) {
    changed.routerText = searchableText(changed.routerData)
    await indexRouterData(tx, row.id, changed.routerData)
  }
  await updateParticipant(tx).execute(changed)
  await emit(tx, ParticipantUpdated, toState(changed), now)
}

/** Marks a participant deleted; its customers stay as they are. Fails when there is none, or it is being changed. */
export const deleteParticipant = (store: Store, id: string, now = new Date()): Promise<void> =>
  store.commit(async (tx) => {
    const row = await liveParticipant(tx, id)
    if (await unfinishedSagaOf(tx, id)) throw fail('CONFLICT')
    const deleted: ParticipantRow = { ...row, version: row.version + 1, updatedAt: now, deletedAt: now }
    await updateParticipant(tx).execute(deleted)
    await indexRouterData(tx, id, null)
    await emit(tx, ParticipantDeleted, toState(deleted), now)
  })

/** Gives up a participant that could not be made: nobody has seen it, and its key is free again. */
export async function dropParticipant(tx: Tx, id: string, now: Date): Promise<void> {
  const row = await readParticipant(tx, id)
  if (!row) return
  await updateParticipant(tx).execute({ ...row, deletedAt: now })
  await indexRouterData(tx, id, null)
}

/** What others may know of it. */
const toState = ({ id, institutionName, omnibusAccountId, feePayerAccountId, version }: ParticipantRow) => ({
  id,
  institutionName,
  omnibusAccountId,
  feePayerAccountId,
  version,
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
