import type { PaymentParty, PaymentStatus, PaymentType } from '@bursar/contracts/transaction-manager'
import { index, integer, json, primaryKey, table, text, timestamp } from '@bursar/store/schema'

/** Replicas of the transaction manager's payments. */
export const payments = table(
  'payments',
  {
    id: text().primaryKey(),
    type: text().$type<PaymentType>().notNull(),
    status: text().$type<PaymentStatus>().notNull(),
    /** Decimal string in the currency's own unit. */
    amount: text().notNull(),
    currency: text().notNull(),
    from: json<PaymentParty>(),
    to: json<PaymentParty>(),
    fromParticipantId: text(),
    toParticipantId: text(),
    reference: text().notNull(),
    description: text(),
    transactionHash: text(),
    /** The case-folded text for searches (search-payments.ts). */
    searchText: text().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
    epoch: integer().notNull(),
    version: integer().notNull(),
  },
  (table) => [
    index('payments_from_participant').on(table.fromParticipantId, table.createdAt),
    index('payments_to_participant').on(table.toParticipantId, table.createdAt),
  ],
)

/** From a bank's view: incoming, outgoing, or between two of its accounts. */
export type Direction = 'in' | 'out' | 'within'

/**
 * The same payments by custodian bank, one row per bank involved, with the columns by which a bank's lists filter and
 * sort, so that each order is read from an index. Written with the replicas (payment-replicas.ts).
 */
export const bankPayments = table(
  'bank_payments',
  {
    custodianBankId: text().notNull(),
    paymentId: text().notNull(),
    direction: text().$type<Direction>().notNull(),
    type: text().$type<PaymentType>().notNull(),
    status: text().$type<PaymentStatus>().notNull(),
    currency: text().notNull(),
    amount: text().notNull(),
    /** The zero-padded amount, which sorts numerically. */
    amountOrder: text().notNull(),
    createdAt: timestamp().notNull(),
    updatedAt: timestamp().notNull(),
  },
  ({ custodianBankId: bank, ...table }) => [
    primaryKey({ columns: [bank, table.paymentId] }),
    index('bank_payments_payment').on(table.paymentId),
    // Each order with the filtered columns: a page is found without reading other rows.
    index('bank_payments_created').on(bank, table.createdAt, table.paymentId, table.status, table.type),
    index('bank_payments_updated').on(bank, table.updatedAt, table.paymentId, table.status, table.type),
    index('bank_payments_amount').on(bank, table.amountOrder, table.paymentId, table.status, table.type),
    index('bank_payments_status').on(bank, table.status, table.paymentId, table.type),
    index('bank_payments_type').on(bank, table.type, table.paymentId, table.status),
    // A covering index for balances.
    index('bank_payments_balance').on(
      bank,
      table.paymentId,
      table.status,
      table.direction,
      table.currency,
      table.amount,
    ),
  ],
)
