import { integer, table, text, timestamp } from '@bursar/store/schema'

/** The sanctions lists that were in use, by time of activation; the last one is in use. */
export const activatedLists = table('activated_lists', {
  id: integer().primaryKey(),
  name: text().notNull(),
  activatedAt: timestamp().notNull(),
})

/** Addresses that the sanctions service has reported as listed, in their comparable form. */
export const listedAddresses = table('listed_addresses', {
  address: text().primaryKey(),
  reason: text().notNull(),
  listedAt: timestamp().notNull(),
})
