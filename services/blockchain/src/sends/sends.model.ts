import { exampleIds } from '@bursar/contracts/examples'
import { orderStatuses } from '@bursar/contracts/order-states'
import { about, nullable, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger } from '@bursar/http'

const sendFields = {
  id: about(
    'The id of its cause: a withdrawal of the ledger, a portfolio’s execution, or an ordered transaction',
    uuid(),
  ),
  network: t.String(),
  from: about('The address that pays', t.String()),
  to: about('The address that it goes to', t.String()),
  contractAddress: nullable(t.String()),
  amount: about('Decimal, in the asset’s own unit', t.String()),
  status: about(
    'accepted: it waits. broadcast: it may be on the chain. confirmed: it is final. failed: it never will be sent',
    oneOf(orderStatuses),
  ),
  txHash: about('The hash of its newest attempt; null before the first', nullable(t.String())),
  nonce: about('Its place in the queue of the address that pays; null where that has none', nullable(t.Integer())),
  reason: about('Why it failed; null for what did not', nullable(t.String())),
  attempts: about('How many transactions were signed for it', t.Integer()),
  failures: about('How often in a row it could not be looked at or sent', t.Integer()),
  lastError: about('What went wrong the last time; null when nothing did', nullable(t.String())),
  nextAttemptAt: about('When it is looked at again; null once it has ended', nullable(timestamp())),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** An order to send something, as those who run the platform see it. */
export const Send = t.Object(sendFields, { title: 'Send' })
export type Send = Static<typeof Send>

export const SendDetail = t.Object(
  {
    ...sendFields,
    transactions: about(
      'The signed transactions, the oldest first',
      t.Array(
        t.Object(
          {
            txHash: about('Its hash', t.String()),
            createdAt: timestamp(),
            lostAt: about(
              'When it was proved that no block will ever hold it; null while one may',
              nullable(timestamp()),
            ),
          },
          { title: 'SendTransaction' },
        ),
      ),
    ),
  },
  { title: 'SendDetail' },
)
export type SendDetail = Static<typeof SendDetail>

export const SendQuery = t.Object({
  network: t.Optional(about('Only sends on this network', text(128))),
  limit: queryInteger({ minimum: 1, maximum: 100, default: 50 }),
  ...keysetQuery,
})
export type SendQuery = Static<typeof SendQuery>

/** The path of a send: the ledger's withdrawal that it carries out. */
export const BySend = t.Object({ id: { ...uuid(), examples: [exampleIds.withdrawal] } })
