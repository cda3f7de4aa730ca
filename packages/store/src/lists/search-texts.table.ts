import { primaryKey, table, text } from '../schema/columns'

/**
 * The texts by which records are found: names and external ids, from the beginning of each word. Folded, so that a
 * search reads only a part of the index, however many records there are. Declared by each service that has it.
 */
export const searchTextsTable = () =>
  table('search_texts', { text: text().notNull(), recordId: text().notNull() }, (table) => [
    primaryKey({ columns: [table.text, table.recordId] }),
  ])
