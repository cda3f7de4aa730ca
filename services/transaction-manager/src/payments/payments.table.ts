import { boolean, index, json, money, sql, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'
import type { BankDetails } from '../fields/bank-codes'
import type { PaymentKind, PaymentStatus, PaymentType } from './states'

/**
 * Payments between banks (spec 3, Transaction manager transaction). Ids are UUID v7 generated at `createdAt`: they sort
 * by age. A participant is the sender when money leaves it, the receiver when money reaches it; external parties are
 * null.
 */
export const payments = table(
  'payments',
  {
    id: text().primaryKey(),
    type: text().$type<PaymentType>().notNull(),
    status: text().$type<PaymentStatus>().notNull(),
    /** In minor units of the currency. */
    amount: money().notNull(),
    /** Sorts amounts numerically. */
    amountKey: text().notNull(),
    currency: text().notNull(),
    fromParticipantId: text(),
    /** Its name when the payment was created. */
    fromParticipantName: text(),
    fromBankId: text(),
    fromCustodianId: text(),
    toParticipantId: text(),
    toParticipantName: text(),
    toBankId: text(),
    toCustodianId: text(),
    kind: text().$type<PaymentKind>().notNull(),
    reference: text().notNull(),
    /** Normalised for comparison and search. */
    referenceKey: text().notNull(),
    description: text(),
    /** The account for a deposit's wire or a withdrawal's payment; null for others. */
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
    // For lists (lists/page-reads.ts): each gives the ids of a page in order, with the columns that filters need.
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
