import { bytes, index, integer, primaryKey, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import type { Document } from './documents.model'

/** Documents of participants. Ids are UUID v7: they sort by age. */
export const documents = table(
  'documents',
  {
    id: text().primaryKey(),
    participantId: text().notNull(),
    type: text().notNull(),
    fileName: text().notNull(),
    /** Detected from the content, whatever the sender declared. */
    mimeType: text().$type<Document['mimeType']>().notNull(),
    size: integer().notNull(),
    /** Of the content, hexadecimal. */
    sha256: text().notNull(),
    /** The user's id; null for an anonymous caller. */
    uploadedBy: text(),
    uploadedAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('documents_content').on(table.participantId, table.type, table.sha256),
    index('documents_participant').on(table.participantId, table.id),
  ],
)

/** The contents of documents, each once, in parts. In the database, so that backups include them consistently. */
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
