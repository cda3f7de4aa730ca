import { about, nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { queryTime } from '@bursar/http'

/** GET /balances/account/:accountId/statement and its export. */
export const StatementQuery = t.Object({
  from: about('The first moment of the period', { ...queryTime(), examples: ['2026-01-01T00:00:00.000Z'] }),
  to: about('The end of the period, which is not part of it; at most 366 days later', {
    ...queryTime(),
    examples: ['2026-12-31T00:00:00.000Z'],
  }),
})
export type StatementQuery = Static<typeof StatementQuery>

const asset = { assetId: uuid(), assetCode: t.String(), network: t.String() }

/** A change of an account's balance. */
export const StatementLine = t.Object(
  {
    at: about('When it was posted', timestamp()),
    kind: about(
      'DEPOSIT, WITHDRAWAL, TRANSFER_IN, TRANSFER_OUT: of a transaction. MOVEMENT_IN, MOVEMENT_OUT: at the account’s addresses, besides its transactions',
      oneOf(['DEPOSIT', 'WITHDRAWAL', 'TRANSFER_IN', 'TRANSFER_OUT', 'MOVEMENT_IN', 'MOVEMENT_OUT']),
    ),
    transactionId: about('Null for a movement', nullable(uuid())),
    ...asset,
    amount: about('What the balance changed by; negative for what went out', t.String()),
    balance: about('Of the asset after it, available and frozen', t.String()),
    counterparty: about('An address, or for a transfer the other account', nullable(t.String())),
    reference: nullable(t.String()),
    txHash: nullable(t.String()),
  },
  { title: 'StatementLine' },
)
export type StatementLine = Static<typeof StatementLine>

/** An account's balances at both ends of a period, and every change between them. */
export const Statement = t.Object(
  {
    accountId: t.String(),
    from: timestamp(),
    to: timestamp(),
    balances: about(
      'Each asset that it held or moved, available and frozen together: opening + in − out = closing',
      t.Array(
        t.Object(
          {
            ...asset,
            opening: about('The balance at the first moment', t.String()),
            in: about('The sum of what came in', t.String()),
            out: about('The sum of what went out', t.String()),
            closing: about('The balance at the end', t.String()),
          },
          { title: 'StatementBalance' },
        ),
      ),
    ),
    lines: about('The changes, oldest first', t.Array(StatementLine)),
  },
  { title: 'Statement' },
)
export type Statement = Static<typeof Statement>
