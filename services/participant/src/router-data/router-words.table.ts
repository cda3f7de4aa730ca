import { index, table, text } from '@bursar/store/schema'

/** What stands in participants' routerData, for the filters `address` and `blockchain`: every key and plain value. */
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
