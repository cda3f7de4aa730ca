import { type Deps, idempotencyKeys, operation, ownKeyOf, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { PaymentCommands } from './commands'
import { movePayment } from './move-payment'
import { transferDraft } from './orders'
import { keysOfPayment, paymentById, toPayment } from './payments'
import { OnePayment, StatusUpdate } from './payments.model'
import {
  ByTransactionId,
  Cancellation,
  ManyAnswers,
  ManyTransfers,
  moveRefusals,
  NewTransfer,
  Review,
  refusals,
} from './requests.model'

const answered = { 200: response(OnePayment) }

/** Spec 3, Endpoints, Transaction manager: transfers between participants. */
export const transferRoutes = (deps: Deps, commands: PaymentCommands) =>
  new Elysia({ prefix: '/transfer', tags: ['Transfers'] }).use(creationRoutes(commands)).use(moveRoutes(deps, commands))

const creationRoutes = ({ create, createMany }: PaymentCommands) =>
  new Elysia()
    .post('/', ({ request, set, body }) => create({ request, set }, transferDraft(body)), {
      body: NewTransfer,
      response: { 201: response(OnePayment) },
      detail: operation('requestTransfer', 'Request a transfer between two participants', {
        ...idempotencyKeys('forever'),
        ...refusals,
      }),
    })
    .post('/execute-many-send-payment', ({ request, set, body }) => createMany({ request, set }, body.transfers), {
      body: ManyTransfers,
      response: { 200: response(ManyAnswers) },
      detail: operation('requestManyTransfers', 'Request many transfers, each independently', {
        ...idempotencyKeys('forever'),
        description:
          'A refused transfer does not affect the others: each has its own result. A body that does not ' +
          'match the schema is refused as a whole.',
        503: refusals[503],
      }),
    })

const moveRoutes = ({ store, now }: Deps, { once, callerOf, move }: PaymentCommands) =>
  new Elysia()
    .post(
      '/cancel',
      ({ request, set, body: { transactionId, comment } }) =>
        once({ request, set }, async (reply) => {
          const by = await callerOf(request)
          const keys = keysOfPayment(await paymentById(store.read, transactionId, 'transfer'))
          return await store.commit(
            async (tx) => {
              const transfer = await paymentById(tx, transactionId, 'transfer')
              return await reply(tx, 200, {
                data: toPayment(await movePayment(tx, transfer, { status: 'CANCELLED', by, comment }, now())),
              })
            },
            [ownKeyOf(request), ...keys],
          )
        }),
      {
        body: Cancellation,
        response: answered,
        detail: operation('cancelTransfer', 'Cancel a transfer that is not yet being carried out', {
          ...idempotencyKeys('forever'),
          404: 'There is no such transfer',
          ...moveRefusals,
        }),
      },
    )
    .put(
      '/:transactionId',
      ({ request, params, body }) => move(request, (tx) => paymentById(tx, params.transactionId, 'transfer'), body),
      {
        params: ByTransactionId('payment'),
        body: StatusUpdate,
        response: answered,
        detail: operation('updateTransferStatus', 'Set the status of a transfer', { ...moveRefusals }),
      },
    )
    .put(
      '/:transactionId/review',
      ({ request, params, body }) => move(request, (tx) => paymentById(tx, params.transactionId, 'transfer'), body),
      {
        params: ByTransactionId('paymentToReview'),
        body: Review,
        response: answered,
        detail: operation('reviewTransfer', 'Begin or end the review of a transfer', { ...moveRefusals }),
      },
    )
