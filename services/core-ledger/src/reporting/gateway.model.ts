import { accountTypes } from '@bursar/contracts/account'
import { exampleAddress, exampleIds, exampleToken } from '@bursar/contracts/examples'
import {
  about,
  jsonObject,
  nonBlank,
  nullable,
  oneOf,
  type Static,
  t,
  text,
  timestamp,
  uuid,
} from '@bursar/contracts/schema'
import { queryInteger } from '@bursar/http'
import { phaseNames, phaseStatuses } from '../movements/phases'
import { status } from '../movements/transactions.model'
import { someId } from '../networks/fields'

/** POST /api/v1/core/transactions/withdrawal */
export const GatewayWithdrawal = t.Object(
  {
    accountId: someId(),
    amount: text(80),
    assetCode: nonBlank(),
    network: text(128),
    participantId: someId(),
    destinationAddress: text(128),
    reference: t.Optional(nullable(t.String({ maxLength: 255, format: 'single-line' }))),
  },
  {
    title: 'GatewayWithdrawal',
    examples: [
      {
        accountId: exampleIds.account,
        amount: '3.75',
        assetCode: exampleToken.code,
        network: exampleToken.network,
        participantId: exampleIds.participant,
        destinationAddress: exampleAddress,
        reference: 'Invoice 206',
      },
    ],
  },
)
export type GatewayWithdrawal = Static<typeof GatewayWithdrawal>

/** A phase of a transaction (decisions, Gateway form). */
export const GatewayPhase = t.Object(
  {
    name: about('The name of the phase', oneOf(phaseNames)),
    status: about(
      'PENDING: not reached yet. SKIPPED: not needed, or not reached',
      oneOf([...phaseStatuses, 'PENDING', 'SKIPPED']),
    ),
    startedAt: nullable(timestamp()),
    completedAt: nullable(timestamp()),
    detail: about('Details of the phase; null for none', nullable(t.String())),
  },
  { title: 'GatewayPhase' },
)
export type GatewayPhase = Static<typeof GatewayPhase>

/** Spec 2, Transaction, gateway form. `transactionData` holds the other fields of the service form. */
export const GatewayTransaction = t.Object(
  {
    id: uuid(),
    assetId: uuid(),
    type: about('The type of the transaction', oneOf(['deposit', 'withdrawal', 'transfer'])),
    amount: t.String(),
    status: status(),
    network: t.String(),
    participantId: nullable(t.String()),
    reference: nullable(t.String()),
    transactionData: jsonObject(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    executedAt: nullable(timestamp()),
    phases: t.Array(GatewayPhase),
  },
  { title: 'GatewayTransaction' },
)
export type GatewayTransaction = Static<typeof GatewayTransaction>

/** GET /api/v1/core/transactions (decisions, Gateway form: page from 1, pageSize 20, at most 100). */
export const GatewayQuery = t.Object({
  status: t.Optional(status()),
  customerId: t.Optional(someId()),
  accountId: t.Optional(someId()),
  accountType: t.Optional(oneOf(accountTypes)),
  page: queryInteger({ minimum: 1, maximum: 1_000_000_000, default: 1 }),
  pageSize: queryInteger({ minimum: 1, maximum: 100, default: 20 }),
})
export type GatewayQuery = Static<typeof GatewayQuery>

/** The path of one transaction: any text; one that is not a UUID is not found. */
export const gatewayId = (example: string) => t.Object({ id: someId(example) })
