import { ChangesQuery, type Deps, internalRoutes, response } from '@bursar/http'
import { accountRecords, getAccountState, getAccountStates, toRecord } from './accounts'
import { AccountChanges, AccountState, AccountStates, ById, Ids } from './accounts.model'

/** Called by other services only (contracts/account.ts). */
export const internalAccountRoutes = ({ store, identity }: Deps) =>
  internalRoutes(identity, '/internal/accounts')
    .get('/changes', ({ query }) => accountRecords.pageAfter(store, query.after, toRecord), {
      query: ChangesQuery,
      response: { 200: response(AccountChanges) },
    })
    .post('/states', async ({ body }) => ({ items: await getAccountStates(store.read, body.items) }), {
      body: Ids,
      response: { 200: response(AccountStates) },
    })
    .get('/:id', ({ params }) => getAccountState(store.read, params.id), {
      params: ById,
      response: { 200: response(AccountState) },
    })
