import { and, byKey, type Db, eq, insertInto, newId, param, rowsBy, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { getParticipant } from '../participants/participants'
import type { Document } from './documents.model'
import { documentParts, documents } from './documents.table'

export type DocumentRow = typeof documents.$inferSelect

/** A checked document (upload.ts). */
export interface NewDocument extends Omit<DocumentRow, 'id' | 'uploadedAt'> {
  content: Buffer
}

const partBytes = 256 * 1024
/** The maximum number of documents per participant, since one answer contains all. */
const mostDocuments = 200

/**
 * Stores a document; known content is not stored again. The same content for the same purpose returns the existing
 * document. Fails when there is no such participant (404), it was offboarded, or has too many documents (409).
 */
export async function addDocument(
  tx: Tx,
  { content, ...fields }: NewDocument,
  now: Date,
): Promise<{ row: DocumentRow; isNew: boolean }> {
  const { participantId, type, sha256 } = fields
  const { status } = await getParticipant(tx, participantId)
  if (status === 'OFFBOARDED') throw fail('CONFLICT', { message: 'An offboarded participant cannot get documents' })
  const [known] = await documentByContent(tx).execute({ participantId, type, sha256 })
  if (known) return { row: known, isNew: false }
  if ((await documentsOfParticipant(tx, participantId)).length >= mostDocuments) {
    throw fail('CONFLICT', { message: `A participant has at most ${mostDocuments} documents` })
  }
  const row: DocumentRow = { ...fields, id: newId(), uploadedAt: now }
  await insertDocument(tx).execute(row)
  await addContent(tx, sha256, content)
  return { row, isNew: true }
}

async function addContent(tx: Tx, sha256: string, content: Buffer): Promise<void> {
  const [known] = await partOfContent(tx).execute({ sha256, place: 0 })
  if (known) return
  for (let start = 0; start < content.length; start += partBytes) {
    const part = content.subarray(start, start + partBytes)
    await insertPart(tx).execute({ sha256, place: start / partBytes, content: part })
  }
}

/** The documents of a participant, oldest first. */
export async function documentsOf(db: Db, participantId: string): Promise<DocumentRow[]> {
  await getParticipant(db, participantId)
  return await documentsOfParticipant(db, participantId)
}

/** A document of a participant. Fails (404) when there is none. */
export async function getDocument(db: Db, participantId: string, id: string): Promise<DocumentRow> {
  const [row] = await documentById(db).execute({ id, participantId })
  if (!row) throw fail('NOT_FOUND', { message: 'Document not found' })
  return row
}

/** The content of a document, in parts. */
export async function* contentOf(db: Db, { sha256, size }: DocumentRow): AsyncGenerator<Uint8Array> {
  for (let place = 0; place * partBytes < size; place++) {
    const [part] = await partOfContent(db).execute({ sha256, place })
    if (!part) throw new Error(`Part ${place} of the content ${sha256} is missing`)
    yield part.content
  }
}

/** The record as the API returns it. */
export const toDocument = ({ participantId: _, uploadedBy: __, ...row }: DocumentRow): Document => ({
  ...row,
  status: 'RECEIVED',
  uploadedAt: row.uploadedAt.toISOString(),
})

const ofParticipant = eq(documents.participantId, param('participantId'))
const insertDocument = insertInto(documents)
const insertPart = insertInto(documentParts)
const documentByContent = byKey(documents, 'sha256', { only: and(ofParticipant, eq(documents.type, param('type'))) })
const documentsOfParticipant = rowsBy(documents, 'participantId', 'id')
const documentById = byKey(documents, 'id', { only: ofParticipant })
const partOfContent = byKey(documentParts, 'sha256', { only: eq(documentParts.place, param('place')) })
