import { about, nullable, type Static, t, text, timestamp } from '@bursar/contracts/schema'
import { CreditLine } from '@bursar/contracts/transaction-manager'
import { currency } from '../values'

export { CreditLine } from '@bursar/contracts/transaction-manager'

export const CreditLines = t.Object({ data: t.Array(CreditLine) }, { title: 'CreditLines' })

/** Not in the specification: PUT /admin/pfi/:id/credit-line (decisions, Setting a credit limit). */
export const CreditLimit = t.Object(
  {
    currency: currency(),
    limit: about('A decimal string in the currency’s own unit, such as "250000"; 0 allows no use', text(64)),
    expiresAt: t.Optional(
      about('From when on it cannot be used; null for never. Left out, a line keeps its own', nullable(timestamp())),
    ),
  },
  { title: 'CreditLimit', examples: [{ currency: 'USD', limit: '250000' }] },
)
export type CreditLimit = Static<typeof CreditLimit>
