import { t } from '@bursar/contracts/schema'
import { getWalletAddresses } from '@bursar/contracts/wallet'
import {
  actorOf,
  csvAnswer,
  csvResponse,
  type Deps,
  failuresOf,
  idempotent,
  jsonArray,
  operation,
  response,
  totalHeader,
  totalText,
} from '@bursar/http'
import { Elysia } from 'elysia'
import { addAddresses, newAddresses } from '../addresses/addresses'
import { readFilter } from './account-filter'
import { accountHistory, changeAccount, getAccount, toAccount } from './accounts'
import { Account, AccountHistory, AccountQuery, ById, ExportQuery, NewAccount, StatusChange } from './accounts.model'
import { checkNewAccount, createAccount } from './create-account'
import { accountColumns, accountList } from './list-accounts'

const filterOf = (request: Request) => readFilter(new URL(request.url).searchParams)

/** Spec 3, Endpoints, Account service. DELETE is answered with 405, like any method that a path does not support. */
export function accountRoutes(deps: Deps) {
  const { store, identity, log } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/accounts', tags: ['Accounts'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const customer = await checkNewAccount(deps, body)
          return await store.commit(async (tx) =>
            reply(tx, 201, toAccount(await createAccount(tx, body, customer, deps.now()))),
          )
        }),
      {
        body: NewAccount,
        response: { 201: response(Account) },
        detail: operation('createAccount', 'Create an account', {
          404: 'The customer or the wallet account does not exist',
          409: 'accountExternalId or walletAccountId is taken, or a request with this Idempotency-Key is under way',
          ...failuresOf('The customer service or the wallet service'),
        }),
      },
    )
    .get(
      '/',
      async ({ query, request, set }) => {
        const asked = { ...query, ...filterOf(request) }
        if (query.count) set.headers[totalHeader] = totalText(await accountList.count(store.read, asked))
        return await jsonArray(accountList.chunks(store.read, asked, query, 500), log)
      },
      {
        query: AccountQuery,
        response: { 200: response(t.Array(Account)) },
        detail: operation('listAccounts', 'List the accounts that match all filters, oldest first'),
      },
    )
    .get(
      '/export',
      ({ query, request }) => {
        const chunks = accountList.chunks(store.read, { ...query, ...filterOf(request) }, query, 500)
        return csvResponse({ name: 'accounts', columns: accountColumns, chunks, log })
      },
      {
        query: ExportQuery,
        detail: operation('exportAccounts', 'Export the accounts that match all filters as CSV', {
          responses: csvAnswer(
            'id,name,type,status\r\n01900000-0000-7000-8000-000000000202,Payroll,STABLECOINS,active',
          ),
        }),
      },
    )
    .get('/:id', async ({ params }) => toAccount(await getAccount(store.read, params.id)), {
      params: ById,
      response: { 200: response(Account) },
      detail: operation('getAccount', 'Get an account'),
    })
    .put(
      '/:id',
      async ({ params: { id }, body: { status, statusReason: reason = null }, request }) => {
        const change = { id, status, reason, actor: await actorOf(identity, request) }
        return toAccount(await store.commit((tx) => changeAccount(tx, change, deps.now())))
      },
      {
        params: ById,
        body: StatusChange,
        response: { 200: response(Account) },
        detail: operation('changeAccount', 'Set the status of an account'),
      },
    )
}

/** What belongs to an account: its history, which is not in the specification, and the addresses that the wallet service has. */
export const accountPartRoutes = ({ store, client }: Deps) =>
  new Elysia({ prefix: '/accounts', tags: ['Accounts'] })
    .get(
      '/:id/history',
      async ({ params: { id } }) => {
        await getAccount(store.read, id)
        return await accountHistory.of(store.read, id)
      },
      {
        params: ById,
        response: { 200: response(AccountHistory) },
        detail: operation('listAccountHistory', 'List the changes of an account’s status, oldest first'),
      },
    )
    .get(
      '/:id/addresses',
      async ({ params: { id } }) => {
        await getAccount(store.read, id)
        const found = await client.call(getWalletAddresses, { params: { accountId: id } })
        const news = await newAddresses(store.read, id, found)
        if (news.length > 0) await store.commit((tx) => addAddresses(tx, id, news))
        return found
      },
      {
        params: ById,
        response: { 200: response(t.Array(t.String())) },
        detail: operation(
          'listAccountAddresses',
          'List the on-chain addresses of an account',
          failuresOf('The wallet service'),
        ),
      },
    )
