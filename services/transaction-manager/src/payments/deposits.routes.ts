import { idempotencyKeys, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TransactionManagerDeps } from '../deps'
import { fail } from '../errors'
import { paymentCommands } from './commands'
import { depositDraft } from './orders'
import { paymentById, paymentByReference, toPayment } from './payments'
import { OnePayment, StatusUpdate } from './payments.model'
import { moveRefusals, refusals } from './refusals'
import { ByReference, DepositChanges, DepositToChange, NewDeposit } from './requests.model'

const created = { 201: response(OnePayment) }
const answered = { 200: response(OnePayment) }

/** Spec 3, Endpoints, Transaction manager: deposits, digital-obligation deposits and internal ones. */
export const depositRoutes = (deps: TransactionManagerDeps) =>
  new Elysia().use(creationRoutes(deps)).use(wiredRoutes(deps)).use(digitalRoutes(deps))

function creationRoutes(deps: TransactionManagerDeps) {
  const { create } = paymentCommands(deps)
  const creation = { body: NewDeposit, response: created }
  const lasting = { ...idempotencyKeys('forever'), ...refusals }
  return new Elysia({ tags: ['Deposits'] })
    .post('/deposit', ({ request, set, body }) => create({ request, set }, depositDraft('DEPOSIT', body)), {
      ...creation,
      detail: operation('requestDeposit', 'Request a deposit, and get its wire instructions', lasting),
    })
    .post('/do-deposit', ({ request, set, body }) => create({ request, set }, depositDraft('DO_DEPOSIT', body)), {
      ...creation,
      detail: operation('requestDoDeposit', 'Request a digital-obligation deposit', lasting),
    })
    .post(
      '/management/deposit',
      ({ request, set, body }) => create({ request, set }, depositDraft('INTERNAL_DEPOSIT', body)),
      {
        ...creation,
        detail: operation('requestInternalDeposit', 'Request an internal deposit', {
          ...lasting,
          description: 'Its status is set like that of a deposit: `PUT /deposit/{reference}`.',
        }),
      },
    )
}

function wiredRoutes(deps: TransactionManagerDeps) {
  const { move, change } = paymentCommands(deps)
  return new Elysia({ prefix: '/deposit', tags: ['Deposits'] })
    .get('/:reference', ({ params }) => pending(deps, 'deposit', params.reference), {
      params: ByReference('deposit'),
      response: answered,
      detail: operation('getPendingDeposit', 'Get a pending deposit by its reference'),
    })
    .put(
      '/:reference',
      ({ request, params, body: { status: to, ...step } }) =>
        move(request, (tx) => paymentByReference(tx, 'deposit', params.reference), { ...step, to }),
      {
        params: ByReference('deposit'),
        body: StatusUpdate,
        response: answered,
        detail: operation('updateDepositStatus', 'Set the status of a deposit', { ...moveRefusals }),
      },
    )
    .put(
      // The router requires the same parameter name at the same position of all paths: here it is a transactionId.
      '/:reference/update',
      ({ request, params, body }) =>
        change(request, (tx) => paymentById(tx, params.reference, 'deposit', 'do-deposit'), body),
      {
        params: DepositToChange,
        body: DepositChanges,
        response: answered,
        detail: operation('updateDepositDetails', 'Change the details of a deposit', {
          description: 'The path takes the id, not the reference. Also for digital-obligation deposits.',
          409: 'The deposit is final, or has another transactionHash',
        }),
      },
    )
}

function digitalRoutes(deps: TransactionManagerDeps) {
  const { move } = paymentCommands(deps)
  return new Elysia({ prefix: '/do-deposit', tags: ['Deposits'] })
    .get('/:reference', ({ params }) => pending(deps, 'do-deposit', params.reference), {
      params: ByReference('doDeposit'),
      response: answered,
      detail: operation('getPendingDoDeposit', 'Get a pending digital-obligation deposit by its reference'),
    })
    .put(
      '/:reference',
      ({ request, params, body: { status: to, ...step } }) =>
        move(request, (tx) => paymentByReference(tx, 'do-deposit', params.reference), { ...step, to }),
      {
        params: ByReference('doDeposit'),
        body: StatusUpdate,
        response: answered,
        detail: operation('updateDoDepositStatus', 'Set the status of a digital-obligation deposit', {
          ...moveRefusals,
        }),
      },
    )
}

/** 404 also for one that is no longer PENDING. */
async function pending({ store }: TransactionManagerDeps, kind: 'deposit' | 'do-deposit', reference: string) {
  const row = await paymentByReference(store.read, kind, reference)
  if (row.status === 'PENDING') return { data: toPayment(row) }
  throw fail('NOT_FOUND', {
    message: `There is no pending ${kind} with the reference ${reference}: it is ${row.status}`,
  })
}
