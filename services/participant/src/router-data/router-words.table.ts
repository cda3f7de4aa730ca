import { index, table, text } from '@bursar/store/schema'

/** Every key and plain value in the routerData of participants, for the filters `address` and `blockchain`. */
export const routerWords = table(
  'router_words',
  {
    participantId: text().notNull(),
    /** As addresses are compared: hexadecimal ones without regard to case. */
    address: text().notNull(),
    /** As names are compared: without regard to case. */
    name: text().notNull(),
  },
  (table) => [
    index('router_words_participant').on(table.participantId),
    index('router_words_address').on(table.address, table.participantId),
    index('router_words_name').on(table.name, table.participantId),
  ],
)
