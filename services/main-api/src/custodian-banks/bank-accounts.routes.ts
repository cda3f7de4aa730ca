import { errorResponses, idempotent, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { After, ByAnyId, ById } from '../participants/participants.model'
import {
  addBankAccount,
  bankAccountRecords,
  bankAccountsOf,
  getBankAccountState,
  toBankAccount,
  toRecord,
} from './bank-accounts'
import {
  BankAccount,
  BankAccountChangesPage,
  BankAccountState,
  BankAccounts,
  NewBankAccount,
} from './bank-accounts.model'

/** Spec 3, PFI module: the bank accounts of a participant. */
export function bankAccountRoutes(deps: MainApiDeps) {
  const { store, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/participants/:id/accounts', tags: ['Bank accounts'] })
    .post(
      '/',
      ({ request, set, params, body }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) => reply(tx, 201, toBankAccount(await addBankAccount(tx, params.id, body, now())))),
        ),
      {
        params: ById,
        body: NewBankAccount,
        response: { 201: response(BankAccount) },
        detail: {
          operationId: 'addBankAccount',
          summary: 'Add an account at a custodian bank to a participant',
          responses: errorResponses({
            404: 'There is no such participant, or no such custodian bank',
            409: 'The account already exists, or the participant was offboarded',
          }),
        },
      },
    )
    .get('/', async ({ params }) => ({ data: (await bankAccountsOf(store.read, params.id)).map(toBankAccount) }), {
      params: ById,
      response: { 200: response(BankAccounts) },
      detail: { operationId: 'listBankAccounts', summary: 'List the bank accounts of a participant, oldest first' },
    })
}

/** Called by other services only (contracts/main-api.ts). */
export const internalBankAccountRoutes = ({ store, identity }: MainApiDeps) =>
  new Elysia({ prefix: '/internal/bank-accounts', detail: { hide: true } })
    .get(
      '/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await bankAccountRecords.pageAfter(store.read, query.after, toRecord)
      },
      { query: After, response: { 200: response(BankAccountChangesPage) } },
    )
    .get(
      '/:id',
      async ({ request, params }) => {
        await requireService(identity, request)
        return await getBankAccountState(store.read, params.id)
      },
      { params: ByAnyId, response: { 200: response(BankAccountState) } },
    )
