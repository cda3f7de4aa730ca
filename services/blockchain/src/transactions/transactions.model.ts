import { exampleAddress, exampleNames, exampleToken } from '@bursar/contracts/examples'
import { about, nullable, oneOf, type Static, t, text, timestamp } from '@bursar/contracts/schema'
import { moved } from '../addresses/addresses.model'

const amount = t.String({ minLength: 1, maxLength: 80, description: 'Decimal, above 0', examples: ['12.50'] })
const currency = t.String({
  minLength: 1,
  maxLength: 64,
  description: 'The code of a known coin or token',
  examples: ['USDC'],
})
const transactionId = about('The caller’s own name for it, unique per type', text(255))
const network = t.Optional(
  t.String({ minLength: 1, maxLength: 64, description: 'By default the first network that has the currency' }),
)

/** Body of POST /transactions/withdraw (spec 3, Blockchain service): paid out to a bank account. */
export const NewWithdraw = t.Object(
  {
    amount,
    currency,
    iban: t.String({
      description: 'The bank account to pay to',
      minLength: 1,
      maxLength: 42,
      examples: ['DE89370400440532013000'],
    }),
    swift: t.String({ description: 'The BIC of its bank', minLength: 1, maxLength: 11, examples: ['COBADEFF'] }),
    transactionId,
    network,
  },
  {
    title: 'NewWithdraw',
    examples: [
      {
        amount: '5',
        currency: exampleToken.code,
        network: exampleToken.network,
        iban: 'DE89370400440532013000',
        swift: 'COBADEFF',
        transactionId: 'payout-204',
      },
    ],
  },
)
export type NewWithdraw = Static<typeof NewWithdraw>

/** Body of POST /transactions/transfer: sent to an address. */
export const NewTransfer = t.Object(
  { amount, currency, destinationAddress: text(128), transactionId, network },
  {
    title: 'NewTransfer',
    examples: [
      {
        amount: '2.50',
        currency: exampleToken.code,
        network: exampleToken.network,
        destinationAddress: exampleAddress,
        transactionId: 'transfer-204',
      },
    ],
  },
)
export type NewTransfer = Static<typeof NewTransfer>

/** Body of POST /transactions/reference/{type}. */
const reference = (title: string, example: string) =>
  t.Object({ transactionId }, { title, examples: [{ transactionId: example }] })
export const WithdrawReference = reference('WithdrawReference', exampleNames.withdraw)
export const TransferReference = reference('TransferReference', exampleNames.transfer)

export const transactionTypes = ['withdraw', 'transfer'] as const
export const ByType = t.Object({ type: t.String() })
export const ByHash = t.Object({ transactionHash: text(128) })

/** An ordered transaction with its state. */
export const OrderedTransaction = t.Object(
  {
    id: t.String(),
    type: about('`withdraw`: to a bank account. `transfer`: to an address', oneOf(transactionTypes)),
    transactionId: about('The caller’s own id of it', t.String()),
    status: t.Unsafe<'pending' | 'broadcast' | 'confirmed' | 'failed'>({
      ...oneOf(['pending', 'broadcast', 'confirmed', 'failed']),
      description:
        '`pending`: at the core ledger, until it is sent. `broadcast`: sent, not final. `confirmed`: final on the network, ' +
        'and booked. `failed`: permanently refused by the ledger or the network, with the reason',
    }),
    amount: t.String(),
    currency: about('The code of the coin or token', t.String()),
    network: t.String(),
    simulated: t.Boolean(),
    accountId: t.String({ description: 'The omnibus account of the participant, which is debited' }),
    destinationAddress: t.String(),
    iban: about('The bank account to pay to; null for a transfer', nullable(t.String())),
    swift: about('The BIC of its bank; null for a transfer', nullable(t.String())),
    transactionHash: nullable(t.String()),
    reason: nullable(t.String()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'OrderedTransaction' },
)
export type OrderedTransaction = Static<typeof OrderedTransaction>

/** A transaction on its network. */
export const NetworkTransaction = t.Object(
  {
    transactionHash: t.String(),
    network: t.String(),
    simulated: t.Boolean(),
    status: about('`confirmed`: final on the network', oneOf(['pending', 'confirmed', 'failed'])),
    reason: nullable(t.String()),
    blockNumber: nullable(t.Integer()),
    confirmations: t.Integer(),
    timestamp: about('The time of its block; null before it is in one', nullable(timestamp())),
    orderId: nullable(t.String({ description: 'The order of this deployment that it carries out' })),
    transfers: about('Its movements', t.Array(t.Object(moved, { title: 'NetworkTransfer' }))),
  },
  { title: 'NetworkTransaction' },
)
export type NetworkTransaction = Static<typeof NetworkTransaction>
