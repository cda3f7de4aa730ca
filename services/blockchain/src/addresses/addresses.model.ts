import { exampleAddress } from '@bursar/contracts/examples'
import { about, nullable, oneOf, type Static, t, text, timestamp } from '@bursar/contracts/schema'
import { pageOf, queryInteger } from '@bursar/http'

export const ByAddress = t.Object({ address: { ...text(128), examples: [exampleAddress] } })

/** GET /addresses/{address}. What the filters hold is read by balance-filter.ts. */
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
  { data: about('What the address holds', t.Array(AddressBalance)) },
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
        'A deposit is `pending` until it is `confirmed`; `reversed` when a reorganisation took it off the chain after ' +
        'that. No deposits: `execution`, brought by a portfolio’s own transaction; `outgoing`; `dust`; `unknown_token`, ' +
        'until the token is registered; `earlier` than the address was watched',
    }),
    fromAddress: t.String(),
    toAddress: t.String(),
    currency: about('The code of the coin or token; null where it is not known', nullable(t.String())),
    contractAddress: nullable(t.String()),
    amount: t.String({ description: 'Decimal; in the smallest unit where `decimals` is null' }),
    decimals: about('Of the coin or token; null where it is not known', nullable(t.Integer())),
    blockNumber: t.Integer(),
    timestamp: timestamp(),
  },
  { title: 'AddressTransaction' },
)
export const AddressTransactions = pageOf(AddressTransaction)
