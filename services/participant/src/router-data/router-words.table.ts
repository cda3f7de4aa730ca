import { index, table, text } from '@bursar/store/schema'

/** Every key and plain value in the routerData of participants, for the filters `address` and `blockchain`. */
export const routerWords = table(
  'router_words',
  {
    participantId: text().notNull(),
    /** Normalised as an address: hexadecimal ones are case-folded. */
    address: text().notNull(),
    /** Normalised as a name: case-folded. */
    name: text().notNull(),
  },
  (table) => [
    index('router_words_participant').on(table.participantId),
    index('router_words_address').on(table.address, table.participantId),
    index('router_words_name').on(table.name, table.participantId),
  ],
)
