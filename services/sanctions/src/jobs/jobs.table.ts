import type {
  AddressResult,
  jobStatuses,
  ScreeningSource,
  screeningKinds,
  TransactionResult,
} from '@bursar/contracts/sanctions'
import { boolean, index, json, sql, table, text, timestamp, uniqueIndex, work } from '@bursar/store/schema'

/**
 * What is kept of the usual result, by which the list has no entry of the job's address and nobody else has listed it:
 * the rest stands in the job and in the row of the list.
 */
export interface ClearResult {
  listId: number
  /** The answers of the other sources. */
  others: ScreeningSource[]
  checkedAt: string
}

/** Screening jobs (spec 3, Sanctions job and result). Ids are UUID v7. */
export const jobs = table(
  'jobs',
  {
    id: text().primaryKey(),
    kind: text().$type<(typeof screeningKinds)[number]>().notNull(),
    /** The caller's id of it; for kind `ledger` the id of the ledger's transaction. */
    externalId: text().notNull(),
    /** The address or the on-chain transaction; empty for a ledger transaction without an external party. */
    subject: text().notNull(),
    blockchain: text().notNull(),
    /** The participant whose webhook endpoints get the result; null for none. */
    participantId: text(),
    /** The caller's headers for the webhook, encrypted; null for none. */
    callbackHeaders: text(),
    status: text().$type<(typeof jobStatuses)[number]>().notNull(),
    result: json<AddressResult | TransactionResult | ClearResult>(),
    /** Copied from the result. */
    sanctioned: boolean(),
    ...work(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('jobs_external_id').on(table.kind, table.externalId),
    index('jobs_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    // Addresses are found in upper or lower case.
    index('jobs_subject_folded').on(sql`lower(${table.subject})`, table.id),
    index('jobs_participant').on(table.participantId, table.id),
    // Few jobs are pending or failed, and fewer have a hit: people look for these.
    index('jobs_pending').on(table.id).where(sql`${table.status} = 'pending'`),
    index('jobs_failed').on(table.id).where(sql`${table.status} = 'failed'`),
    index('jobs_hits').on(table.id).where(sql`${table.sanctioned}`),
  ],
)
