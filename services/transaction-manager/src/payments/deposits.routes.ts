import { type Deps, idempotencyKeys, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { fail } from '../errors'
import type { PaymentCommands } from './commands'
import { depositDraft } from './orders'
import { paymentById, paymentByReference, toPayment } from './payments'
import { OnePayment, StatusUpdate } from './payments.model'
import { ByReference, DepositChanges, DepositToChange, moveRefusals, NewDeposit, refusals } from './requests.model'

const created = { 201: response(OnePayment) }
const answered = { 200: response(OnePayment) }

/** Spec 3, Endpoints, Transaction manager: deposits, digital-obligation deposits and internal ones. */
export const depositRoutes = (deps: Deps, commands: PaymentCommands) =>
  new Elysia()
    .use(creationRoutes(commands))
    .use(referenceRoutes(deps, commands, 'deposit'))
    .use(changeRoutes(commands))
    .use(referenceRoutes(deps, commands, 'do-deposit'))

function creationRoutes({ create }: PaymentCommands) {
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

/** How each kind of deposit that has paths of its own is called there. */
const named = {
  deposit: { example: 'deposit', id: 'Deposit', words: 'deposit' },
  'do-deposit': { example: 'doDeposit', id: 'DoDeposit', words: 'digital-obligation deposit' },
} as const

function referenceRoutes(deps: Deps, { move }: PaymentCommands, kind: keyof typeof named) {
  const { example, id, words } = named[kind]
  const params = ByReference(example)
  return new Elysia({ prefix: `/${kind}`, tags: ['Deposits'] })
    .get('/:reference', ({ params }) => pending(deps, kind, params.reference), {
      params,
      response: answered,
      detail: operation(`getPending${id}`, `Get a pending ${words} by its reference`),
    })
    .put(
      '/:reference',
      ({ request, params, body }) => move(request, (tx) => paymentByReference(tx, kind, params.reference), body),
      {
        params,
        body: StatusUpdate,
        response: answered,
        detail: operation(`update${id}Status`, `Set the status of a ${words}`, { ...moveRefusals }),
      },
    )
}

const changeRoutes = ({ change }: PaymentCommands) =>
  new Elysia({ prefix: '/deposit', tags: ['Deposits'] }).put(
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

/** 404 also for one that is no longer PENDING. */
async function pending({ store }: Deps, kind: 'deposit' | 'do-deposit', reference: string) {
  const row = await paymentByReference(store.read, kind, reference)
  if (row.status === 'PENDING') return { data: toPayment(row) }
  throw fail('NOT_FOUND', {
    message: `There is no pending ${kind} with the reference ${reference}: it is ${row.status}`,
  })
}
