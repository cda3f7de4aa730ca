import { exampleAddress } from '@bursar/contracts/examples'
import { about, nullable, oneOf, type Static, t, text, timestamp } from '@bursar/contracts/schema'
import { pageOf, queryInteger } from '@bursar/http'

export const ByAddress = t.Object({ address: { ...text(128), examples: [exampleAddress] } })

/** GET /addresses/{address}. balance-filter.ts parses the filters. */
export const BalanceQuery = t.Object({
  'filter[currency]': t.Optional(
    t.String({ description: 'A code or contract address: `USDC`, `eq:USDC` or `in:USDC,ETH` (at most 100)' }),
  ),
  'filter[amount]': t.Optional(
    t.String({
      description: '`lt:`, `lte:`, `gt:`, `gte:`, `eq:` or `ne:` and a decimal number, such as `gte:12.50`',
    }),
  ),
  network: t.Optional(t.String({ minLength: 1, maxLength: 64, description: 'Asks this network alone' })),
})
export type BalanceQuery = Static<typeof BalanceQuery>

/** One asset of an address on one network; the first three are the specification's. */
export const AddressBalance = t.Object(
  {
    currency: about('The code of the coin or token, or its contract address', t.String()),
    amount: t.String({ description: 'Decimal, in the asset’s own unit, above 0' }),
    address: t.String(),
    network: t.String(),
    contractAddress: nullable(t.String()),
    simulated: t.Boolean(),
  },
  { title: 'AddressBalance' },
)
export const AddressBalances = t.Object(
  { data: about('The balances of the address', t.Array(AddressBalance)) },
  { title: 'AddressBalances' },
)

export const HistoryQuery = t.Object({
  limit: queryInteger({ minimum: 0, maximum: 100, default: 20 }),
  offset: queryInteger({ minimum: 0, maximum: 100_000, default: 0 }),
})
export type HistoryQuery = Static<typeof HistoryQuery>

const transferStatuses = [
  'pending',
  'confirmed',
  'reversed',
  'execution',
  'outgoing',
  'dust',
  'unknown_token',
  'earlier',
] as const

/** What moved, as it is shown. */
export const moved = {
  fromAddress: t.String(),
  toAddress: t.String(),
  currency: about('The code of the coin or token; null if unknown', nullable(t.String())),
  contractAddress: nullable(t.String()),
  amount: t.String({ description: 'Decimal; in the smallest unit where `decimals` is null' }),
  decimals: about('The decimals of the coin or token; null if unknown', nullable(t.Integer())),
}

/** A movement to or from an address. */
export const AddressTransaction = t.Object(
  {
    transactionHash: t.String(),
    network: t.String(),
    simulated: t.Boolean(),
    direction: about('Seen from the address', oneOf(['in', 'out'])),
    status: t.Unsafe<(typeof transferStatuses)[number]>({
      ...oneOf(transferStatuses),
      description:
        'A deposit is `pending` until it is `confirmed`; `reversed` when a reorganisation removed it from the chain after ' +
        'that. Not deposits: `execution`, received by a portfolio’s own transaction; `outgoing`; `dust`; `unknown_token`, ' +
        'until the token is registered; `earlier` than the address was watched',
    }),
    ...moved,
    blockNumber: t.Integer(),
    timestamp: timestamp(),
  },
  { title: 'AddressTransaction' },
)
export const AddressTransactions = pageOf(AddressTransaction)
