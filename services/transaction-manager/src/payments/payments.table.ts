import { boolean, index, json, money, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import type { BankDetails } from '../fields/bank-codes'
import type { PaymentKind, PaymentStatus, PaymentType } from './states'

/**
 * Payments between banks (spec 3, Transaction manager transaction). Ids are UUID v7 made at `createdAt`: their order is
 * the age. A participant is the sender where money leaves it, the receiver where money comes to it; outside is null.
 */
export const payments = table(
  'payments',
  {
    id: text().primaryKey(),
    type: text().$type<PaymentType>().notNull(),
    status: text().$type<PaymentStatus>().notNull(),
    /** In minor units of the currency. */
    amount: money().notNull(),
    /** By which amounts sort. */
    amountKey: text().notNull(),
    currency: text().notNull(),
    fromParticipantId: text(),
    /** As it was called when the payment was made. */
    fromParticipantName: text(),
    fromBankId: text(),
    fromCustodianId: text(),
    toParticipantId: text(),
    toParticipantName: text(),
    toBankId: text(),
    toCustodianId: text(),
    kind: text().$type<PaymentKind>().notNull(),
    reference: text().notNull(),
    /** As references are compared and searched. */
    referenceKey: text().notNull(),
    description: text(),
    /** Where a deposit is to be wired to, or a withdrawal is paid; null for others. */
    bankDetails: json<BankDetails>(),
    transactionHash: text(),
    /** Whether its amount counts in the sender's credit line. */
    usesCredit: boolean().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  (table) => [
    uniqueIndex('payments_reference').on(table.kind, table.referenceKey),
    uniqueIndex('payments_hash').on(table.transactionHash).where(sql`${table.transactionHash} is not null`),
    // For lists (lists/page-reads.ts): each gives the ids of a page in their order, and what filters need to know.
    index('payments_group').on(table.type, table.status, table.id),
    index('payments_currency').on(table.currency, table.id, table.type, table.status),
    index('payments_updated').on(table.updatedAt, table.id, table.type, table.status),
    index('payments_amount').on(table.amountKey, table.id, table.type, table.status),
    index('payments_from')
      .on(table.fromParticipantId, table.id, table.type, table.status)
      .where(sql`${table.fromParticipantId} is not null`),
    index('payments_to')
      .on(table.toParticipantId, table.id, table.type, table.status)
      .where(sql`${table.toParticipantId} is not null`),
    index('payments_own')
      .on(table.fromParticipantId, table.id, table.type, table.status)
      .where(sql`${table.fromParticipantId} = ${table.toParticipantId}`),
  ],
)
