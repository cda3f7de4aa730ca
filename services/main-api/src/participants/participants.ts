import { PfiChanged, type PfiRecord, type PfiState } from '@bursar/contracts/main-api'
import { changedRecords, type Db, emit, folded, insertInto, newId, rowBy, type Tx, updateBy } from '@bursar/store'
import { fail } from '../errors'
import { knownCountry } from '../values'
import { requestHandover } from './handovers'
import type { NewParticipant, Participant, ParticipantChanges } from './participants.model'
import { participants } from './participants.table'

export type ParticipantRow = typeof participants.$inferSelect

/** The change feed that other services' replicas follow. */
export const participantRecords = changedRecords('pfi', participants)

/** Registers an institution, for a user of ours if given, and requests the invitation of its first user. */
export async function registerParticipant(
  tx: Tx,
  input: NewParticipant,
  now: Date,
  registeredBy: string | null = null,
): Promise<ParticipantRow> {
  const fields = { ...normal(input), status: 'NOT_STARTED', approvedAt: null, registeredBy } as const
  const row = { id: newId(), ...fields, createdAt: now, updatedAt: now }
  await insertParticipant(tx).execute(row)
  await announce(tx, row, now)
  await requestHandover(tx, { participantId: row.id, kind: 'invitation' }, now)
  return row
}

export const findParticipant = rowBy(participants, 'id')

export async function getParticipant(db: Db, id: string): Promise<ParticipantRow> {
  const row = await findParticipant(db, id)
  if (!row) throw fail('NOT_FOUND')
  return row
}

/**
 * Changes the given fields, and who registered it if given; the participant service gets a new name of an approved one.
 * Fails when there is no such participant (404), or it was offboarded (409).
 */
export async function changeParticipant(
  tx: Tx,
  id: string,
  changes: ParticipantChanges,
  now: Date,
  registeredBy?: string | null,
): Promise<ParticipantRow> {
  const before = await getParticipant(tx, id)
  if (before.status === 'OFFBOARDED') throw fail('CONFLICT', { message: 'An offboarded participant cannot be changed' })
  const row = { ...before, ...normal({ ...before, ...changes }), registeredBy: registeredBy ?? before.registeredBy }
  if (Bun.deepEquals(row, before)) return before
  const saved = await saveParticipant(tx, row, now)
  if (saved.approvedAt && saved.name !== before.name) {
    await requestHandover(tx, { participantId: id, kind: 'admission' }, now)
  }
  return saved
}

/** Stores a changed participant, with its event. */
export async function saveParticipant(tx: Tx, row: ParticipantRow, now: Date): Promise<ParticipantRow> {
  const saved = { ...row, updatedAt: now }
  await updateParticipant(tx).execute(saved)
  await announce(tx, saved, now)
  return saved
}

/** A participant with its mark. */
export async function getPfiState(db: Db, id: string): Promise<PfiState> {
  const state = await participantRecords.stateOf(db, id)
  if (!state) throw fail('NOT_FOUND')
  return { ...toRecord(state.row), ...state.mark }
}

/** The record as other services get it. */
export const toRecord = ({ id, name, country, status }: ParticipantRow): PfiRecord => ({ id, name, country, status })

/** The record as the API returns it. */
export const toParticipant = ({ searchName: _, registeredBy: __, ...row }: ParticipantRow): Participant => ({
  ...row,
  approvedAt: row.approvedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

async function announce(tx: Tx, row: ParticipantRow, now: Date): Promise<void> {
  await emit(tx, PfiChanged, { ...toRecord(row), ...(await participantRecords.mark(tx, row.id)) }, now)
}

/** The fields of a body, normalised for storage. */
const normal = ({ name, email, country, businessType, registrationNumber, address }: NewParticipant) => ({
  name,
  searchName: folded(name),
  email,
  country: knownCountry(country),
  businessType,
  registrationNumber,
  address: { ...address, country: knownCountry(address.country) },
})

const insertParticipant = insertInto(participants)
const updateParticipant = updateBy(participants, 'id')
