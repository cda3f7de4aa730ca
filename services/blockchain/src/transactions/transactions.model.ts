import { nullable, oneOf, type Static, t, text, timestamp } from '@bursar/contracts/schema'

const amount = t.String({ minLength: 1, maxLength: 80, description: 'Decimal, above 0', examples: ['12.50'] })
const currency = t.String({
  minLength: 1,
  maxLength: 64,
  description: 'The code of a known coin or token',
  examples: ['USDC'],
})
const transactionId = t.String({
  minLength: 1,
  maxLength: 255,
  description: 'The caller’s own name for it, unique per type',
})
const network = t.Optional(
  t.String({ minLength: 1, maxLength: 64, description: 'Unless given: the first network that has the currency' }),
)

/** Body of POST /transactions/withdraw (spec 3, Blockchain service): paid out to a bank account. */
export const NewWithdraw = t.Object(
  {
    amount,
    currency,
    iban: t.String({ minLength: 1, maxLength: 42, examples: ['DE89370400440532013000'] }),
    swift: t.String({ minLength: 1, maxLength: 11, examples: ['COBADEFF'] }),
    transactionId,
    network,
  },
  { title: 'NewWithdraw' },
)
export type NewWithdraw = Static<typeof NewWithdraw>

/** Body of POST /transactions/transfer: sent to an address. */
export const NewTransfer = t.Object(
  { amount, currency, destinationAddress: text(128), transactionId, network },
  { title: 'NewTransfer' },
)
export type NewTransfer = Static<typeof NewTransfer>

/** Body of POST /transactions/reference/{type}. */
export const Reference = t.Object({ transactionId }, { title: 'Reference' })

export const transactionTypes = ['withdraw', 'transfer'] as const
export const ByType = t.Object({ type: t.String() })
export const ByHash = t.Object({ transactionHash: text(128) })

/** An ordered transaction and how it stands. */
export const OrderedTransaction = t.Object(
  {
    id: t.String(),
    type: oneOf(transactionTypes),
    transactionId: t.String(),
    status: t.Unsafe<'pending' | 'broadcast' | 'confirmed' | 'failed'>({
      ...oneOf(['pending', 'broadcast', 'confirmed', 'failed']),
      description:
        '`broadcast`: sent, not final. `confirmed`: final on the network. `failed`: for good, with the reason',
    }),
    amount: t.String(),
    currency: t.String(),
    network: t.String(),
    simulated: t.Boolean(),
    accountId: t.String({ description: 'The omnibus account of the participant, whose wallet pays' }),
    destinationAddress: t.String(),
    iban: nullable(t.String()),
    swift: nullable(t.String()),
    transactionHash: nullable(t.String()),
    reason: nullable(t.String()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'OrderedTransaction' },
)
export type OrderedTransaction = Static<typeof OrderedTransaction>

/** A transaction as its network tells of it. */
export const NetworkTransaction = t.Object(
  {
    transactionHash: t.String(),
    network: t.String(),
    simulated: t.Boolean(),
    status: oneOf(['pending', 'confirmed', 'failed']),
    reason: nullable(t.String()),
    blockNumber: nullable(t.Integer()),
    confirmations: t.Integer(),
    timestamp: nullable(timestamp()),
    orderId: nullable(t.String({ description: 'The order of this deployment that it carries out' })),
    transfers: t.Array(
      t.Object({
        fromAddress: t.String(),
        toAddress: t.String(),
        currency: nullable(t.String()),
        contractAddress: nullable(t.String()),
        amount: t.String({ description: 'Decimal; in the smallest unit where `decimals` is null' }),
        decimals: nullable(t.Integer()),
      }),
    ),
  },
  { title: 'NetworkTransaction' },
)
export type NetworkTransaction = Static<typeof NetworkTransaction>
