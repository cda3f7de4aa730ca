import { bytes, index, integer, primaryKey, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import type { Document } from './documents.model'

/** Documents of participants. Ids are UUID v7: their order is the age. */
export const documents = table(
  'documents',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    type: text().notNull(),
    fileName: text().notNull(),
    /** Found in the content, whatever its sender said. */
    mimeType: text().$type<Document['mimeType']>().notNull(),
    size: integer().notNull(),
    /** Of the content, hexadecimal. */
    sha256: text().notNull(),
    /** The user's id; null where the caller did not prove who it is. */
    uploadedBy: text(),
    uploadedAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('documents_content').on(table.participantId, table.type, table.sha256),
    index('documents_participant').on(table.participantId, table.id),
  ],
)

/** The contents of documents, each once, in parts. In the database, so that a backup has them and agrees with them. */
export const documentParts = table(
  'document_parts',
  {
    sha256: text().notNull(),
    /** From 0. */
    place: integer().notNull(),
    content: bytes().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sha256, table.place] })],
)
