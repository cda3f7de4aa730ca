import { exampleIds } from '@bursar/contracts/examples'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { WithdrawalState } from '@bursar/contracts/wallet'
import { keysetQuery, queryInteger } from '@bursar/http'

/** An order to pay out, in the form for operators. */
export const WithdrawalOrder = t.Object(
  {
    id: about('The id of its cause: for a withdrawal, the ledger’s transaction', uuid()),
    kind: about('withdrawal: of the ledger. execution: of a portfolio', oneOf(['withdrawal', 'execution'])),
    accountId: nullable(uuid()),
    network: t.String(),
    assetCode: t.String(),
    contractAddress: nullable(t.String()),
    amount: t.String(),
    destinationAddress: about('The destination address', t.String()),
    status: about(
      'accepted: it waits. broadcast: it may be on the chain. confirmed: it is final. failed: it will never be paid',
      WithdrawalState.properties.status,
    ),
    txHash: about('The hash of its transaction; null before there is one', nullable(t.String())),
    reason: about('Why it failed; null if it did not', nullable(t.String())),
    waitsFor: about('Why a tried order is not broadcast; null if it is', nullable(t.String())),
    payer: about('The address that pays; null until it is chosen', nullable(t.String())),
    feePayer: about('The address that pays the fee; null: the paying address', nullable(t.String())),
    attempts: about('The number of attempts since its last change of status', t.Integer()),
    nextAttemptAt: about('The time of the next attempt; null once it has ended', nullable(timestamp())),
    signedAt: about('When it was first signed: from then on it may have been paid', nullable(timestamp())),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'WithdrawalOrder' },
)
export type WithdrawalOrder = Static<typeof WithdrawalOrder>

export const WithdrawalOrderQuery = t.Object({
  network: t.Optional(about('Only orders on this network', text(64))),
  limit: queryInteger({ minimum: 1, maximum: 100, default: 50 }),
  ...keysetQuery,
})
export type WithdrawalOrderQuery = Static<typeof WithdrawalOrderQuery>

export const ByTransaction = t.Object({
  transactionId: { ...uuid(), examples: [exampleIds.withdrawal] },
})
