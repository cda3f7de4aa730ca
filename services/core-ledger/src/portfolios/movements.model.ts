import { exampleIds } from '@bursar/contracts/examples'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger } from '@bursar/http'
import { Cover } from '../movements/transactions.model'
import { someId } from '../networks/fields'

/** A movement at a portfolio's address without a transaction of the ledger. */
export const AccountMovement = t.Object(
  {
    id: about(
      'Its network, hash and place in the transaction, and the number of its part if it is divided',
      t.String(),
    ),
    kind: about(
      'in: received by a transaction of the account. out: sent. fee: paid to the network',
      oneOf(['in', 'out', 'fee']),
    ),
    network: t.String(),
    txHash: t.String(),
    address: about('The address of the account', t.String()),
    counterparty: about('The other side; null for a fee', nullable(t.String())),
    contractAddress: about('Null for the network’s native coin', nullable(t.String())),
    assetId: about('Null while the ledger has no such asset', nullable(uuid())),
    assetCode: nullable(t.String()),
    amount: t.String(),
    executionId: about('The execution that made it; null for a transaction of others', nullable(uuid())),
    confirmedAt: about('When it became final on its chain', timestamp()),
    bookedAt: about('When it was posted to the balance; null while it waits', nullable(timestamp())),
    waitsFor: about('Why it waits; null if it does not', nullable(t.String())),
    takenBack: about(
      'For one that came in and was posted, and that its chain has taken back since: true until the chain confirms it again, or it is covered',
      t.Optional(t.Literal(true)),
    ),
  },
  { title: 'AccountMovement' },
)
export type AccountMovement = Static<typeof AccountMovement>

/** GET /balances/account/:accountId/movements */
export const MovementQuery = t.Object({
  limit: t.Optional(queryInteger({ minimum: 1, maximum: 500, default: 50 })),
  order: keysetQuery.order,
  after: t.Optional(about('The id of the last movement of the page before', text(300))),
})
export type MovementQuery = Static<typeof MovementQuery>

/** POST /balances/account/:accountId/movements/cover */
export const CoverMovement = t.Object(
  { movement: about('Its id', text(300)), ...Cover.properties },
  {
    title: 'CoverMovement',
    examples: [{ movement: `ethereum 0x${'5e'.repeat(32)} in:1`, reason: 'The platform has paid in what is missing' }],
  },
)

export const OfAccount = t.Object({ accountId: someId(exampleIds.account) })
