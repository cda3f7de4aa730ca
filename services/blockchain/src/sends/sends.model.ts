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
  to: about('The receiving address', t.String()),
  contractAddress: nullable(t.String()),
  amount: about('Decimal, in the asset’s own unit', t.String()),
  status: about(
    'accepted: waiting. broadcast: it may be on the chain. confirmed: final. failed: it will never be sent',
    oneOf(orderStatuses),
  ),
  txHash: about('The hash of its newest attempt; null before the first', nullable(t.String())),
  nonce: about('Its nonce at the paying address; null on networks without nonces', nullable(t.Integer())),
  reason: about('Why it failed; null otherwise', nullable(t.String())),
  attempts: about('The number of signed transactions', t.Integer()),
  failures: about('The number of consecutive failures', t.Integer()),
  lastError: about('The last error; null for none', nullable(t.String())),
  nextAttemptAt: about('When it is checked again; null once it has ended', nullable(timestamp())),
  createdAt: timestamp(),
  updatedAt: timestamp(),
}

/** An order to send something, for operators. */
export const Send = t.Object(sendFields, { title: 'Send' })
export type Send = Static<typeof Send>

export const SendDetail = t.Object(
  {
    ...sendFields,
    transactions: about(
      'The signed transactions, oldest first',
      t.Array(
        t.Object(
          {
            txHash: about('Its hash', t.String()),
            createdAt: timestamp(),
            lostAt: about('When it was proved that it can never be included; null while it can', nullable(timestamp())),
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
