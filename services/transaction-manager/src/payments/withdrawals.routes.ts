import { idempotencyKeys, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { PaymentCommands } from './commands'
import { withdrawalDraft } from './orders'
import { paymentById } from './payments'
import { OnePayment, WithdrawalStatusUpdate } from './payments.model'
import { ByTransactionId, moveRefusals, NewWithdrawal, refusals, WithdrawalChanges } from './requests.model'

const ById = ByTransactionId('paymentWithdrawal')
const answered = { 200: response(OnePayment) }

/** Spec 3, Endpoints, Transaction manager: withdrawals. */
export const withdrawalRoutes = ({ create, move, change }: PaymentCommands) =>
  new Elysia({ prefix: '/withdrawal', tags: ['Withdrawals'] })
    .post('/', ({ request, set, body }) => create({ request, set }, withdrawalDraft(body)), {
      body: NewWithdrawal,
      response: { 201: response(OnePayment) },
      detail: operation('requestWithdrawal', 'Request a withdrawal to an external bank account', {
        ...idempotencyKeys('forever'),
        ...refusals,
      }),
    })
    .put(
      '/:transactionId',
      ({ request, params, body }) => move(request, (tx) => paymentById(tx, params.transactionId, 'withdrawal'), body),
      {
        params: ById,
        body: WithdrawalStatusUpdate,
        response: answered,
        detail: operation('updateWithdrawalStatus', 'Set the status of a withdrawal', {
          409: `${moveRefusals[409]}, or the withdrawal has another destinationAccount than the one named`,
          description:
            'An approval should name the `destinationAccount` that was reviewed: it may have been changed meanwhile.',
        }),
      },
    )
    .put(
      '/:transactionId/update',
      ({ request, params, body }) => change(request, (tx) => paymentById(tx, params.transactionId, 'withdrawal'), body),
      {
        params: ById,
        body: WithdrawalChanges,
        response: answered,
        detail: operation('updateWithdrawalDetails', 'Change the details of a withdrawal', {
          description: 'The destination may change only while it is PENDING.',
          409: 'The withdrawal has advanced too far, or has another transactionHash',
        }),
      },
    )
