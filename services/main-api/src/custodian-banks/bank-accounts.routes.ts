import { ChangesQuery, idempotent, internalRoutes, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { ByAnyId, ById } from '../participants/participants.model'
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
        detail: operation('addBankAccount', 'Add an account at a custodian bank to a participant', {
          404: 'There is no such participant, or no such custodian bank',
          409: 'The account already exists, or the participant was offboarded, or has too many accounts',
        }),
      },
    )
    .get('/', async ({ params }) => ({ data: (await bankAccountsOf(store.read, params.id)).map(toBankAccount) }), {
      params: ById,
      response: { 200: response(BankAccounts) },
      detail: operation('listBankAccounts', 'List the bank accounts of a participant, oldest first'),
    })
}

/** Called by other services only (contracts/main-api.ts). */
export const internalBankAccountRoutes = ({ store, identity }: MainApiDeps) =>
  internalRoutes(identity, '/internal/bank-accounts')
    .get('/changes', ({ query }) => bankAccountRecords.pageAfter(store, query.after, toRecord), {
      query: ChangesQuery,
      response: { 200: response(BankAccountChangesPage) },
    })
    .get('/:id', ({ params }) => getBankAccountState(store.read, params.id), {
      params: ByAnyId,
      response: { 200: response(BankAccountState) },
    })
