import {
  byKey,
  type Db,
  defineList,
  deleteBy,
  eq,
  insertInto,
  newId,
  param,
  rowBy,
  type Tx,
  updateBy,
} from '@bursar/store'
import { fail } from '../errors'
import { getParticipant } from '../participants/participants'
import type { Information, InformationChanges, NewInformation } from './additional-information.model'
import { additionalInformation } from './additional-information.table'

type InformationRow = typeof additionalInformation.$inferSelect

/** The maximum number of keys per participant, since one answer contains all. */
const mostKeys = 500

/** Adds information. Fails when there is no such participant (404), it already has the key, or too many (409). */
export async function addInformation(tx: Tx, input: NewInformation, now: Date): Promise<InformationRow> {
  await getParticipant(tx, input.participantId)
  await refuseTaken(tx, input)
  if ((await informationList.count(tx, input)) >= mostKeys)
    throw fail('CONFLICT', { message: `A participant has at most ${mostKeys} pieces of information` })
  const row = { id: newId(), ...input, createdAt: now, updatedAt: now }
  await insertInformation(tx).execute(row)
  return row
}

/** Changes the given fields. Fails when there is none (404), or its participant already has the new key (409). */
export async function changeInformation(
  tx: Tx,
  id: string,
  changes: InformationChanges,
  now: Date,
): Promise<InformationRow> {
  const before = await getInformation(tx, id)
  const row = { ...before, ...changes, updatedAt: now }
  if (row.key !== before.key) await refuseTaken(tx, row)
  await updateInformation(tx).execute(row)
  return row
}

export async function deleteInformation(tx: Tx, id: string): Promise<void> {
  await getInformation(tx, id)
  await removeInformation(tx).execute({ id })
}

/** All information of a participant, oldest first. */
export async function informationOf(db: Db, participantId: string): Promise<InformationRow[]> {
  await getParticipant(db, participantId)
  return await informationList.page(db, { participantId }, { limit: mostKeys })
}

/** The record as the API returns it. */
export const toInformation = (row: InformationRow): Information => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

async function getInformation(db: Db, id: string): Promise<InformationRow> {
  const row = await informationById(db, id)
  if (!row) throw fail('NOT_FOUND', { message: 'Additional information not found' })
  return row
}

async function refuseTaken(tx: Tx, { participantId, key }: NewInformation): Promise<void> {
  const [known] = await informationByKey(tx).execute({ participantId, key })
  if (known) throw fail('CONFLICT', { message: `The participant already has a value for ${key}` })
}

const ofParticipant = eq(additionalInformation.participantId, param('participantId'))
const insertInformation = insertInto(additionalInformation)
const informationById = rowBy(additionalInformation, 'id')
const informationByKey = byKey(additionalInformation, 'key', { only: ofParticipant })
const updateInformation = updateBy(additionalInformation, 'id', ['key', 'value', 'updatedAt'])
const removeInformation = deleteBy(additionalInformation, 'id')
/** All information, or that of one participant, by age. */
export const informationList = defineList({
  id: additionalInformation.id,
  rows: (db) => db.select().from(additionalInformation),
  to: (row): InformationRow => row,
  read: ({ participantId }: { participantId?: string | undefined }) => ({
    form: { ofOne: participantId !== undefined },
    values: { participantId },
  }),
  where: ({ ofOne }) => (ofOne ? ofParticipant : undefined),
  along: ({ ofOne }) => (ofOne ? ofParticipant : undefined),
  countsAll: true,
})
