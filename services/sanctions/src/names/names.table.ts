import { index, integer, primaryKey, table, text } from '@bursar/store/schema'

/** The names of the current list, and of a draft; those of a retired list are deleted. Added, never changed. */
export const listedNames = table(
  'listed_names',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    listId: integer().notNull(),
    entryId: text().notNull(),
    name: text().notNull(),
    /** The number of its words (name-words.ts). */
    words: integer().notNull(),
  },
  (table) => [index('listed_names_list').on(table.listId, table.seq)],
)

/** The words of those names: screenings look names up by them. */
export const listedNameWords = table(
  'listed_name_words',
  {
    listId: integer().notNull(),
    word: text().notNull(),
    nameSeq: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.listId, table.word, table.nameSeq] })],
)
