import type { PfiStatus } from '@bursar/contracts/main-api'
import { index, json, table, text, timestamp } from '@bursar/store/schema'
import type { Address } from './participants.model'

/**
 * Payment financial institutions (PFI) that have registered, whatever their status (decisions, PFI participant status).
 * Ids are UUID v7: they sort by age. The participant service has a participant of the same id once it is approved.
 */
export const participants = table(
  'participants',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    /** The case-folded name, for the filter. */
    searchName: text().notNull(),
    email: text().notNull(),
    /** ISO 3166-1, two letters. */
    country: text().notNull(),
    businessType: text().notNull(),
    registrationNumber: text().notNull(),
    address: json<Address>().notNull(),
    status: text().$type<PfiStatus>().notNull(),
    /** When it was first approved; null before. The participant service knows it since then. */
    approvedAt: timestamp(),
    /** The id of the user who registered it; null for an institution that did so itself. */
    registeredBy: text(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    index('participants_status').on(table.status, table.id),
    // For the search across services.
    index('participants_search_name').on(table.searchName),
    index('participants_registration_number').on(table.registrationNumber),
  ],
)
