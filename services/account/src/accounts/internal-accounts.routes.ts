import { accountChanges, getAccountState, getAccountStates } from '@bursar/contracts/account'
import { batchOf } from '@bursar/contracts/batch'
import { uuid } from '@bursar/contracts/schema'
import { ChangesQuery, type Deps, internalRoutes, response } from '@bursar/http'
import { accountRecords, accountState, accountStates, toRecord } from './accounts'
import { ById } from './accounts.model'

/** Called by other services only (contracts/account.ts). */
export const internalAccountRoutes = ({ store, identity }: Deps) =>
  internalRoutes(identity, '/internal/accounts')
    .get('/changes', ({ query }) => accountRecords.pageAfter(store, query.after, toRecord), {
      query: ChangesQuery,
      response: { 200: response(accountChanges.answer) },
    })
    .post('/states', async ({ body }) => ({ items: await accountStates(store.read, body.items) }), {
      body: batchOf(uuid()),
      response: { 200: response(getAccountStates.answer) },
    })
    .get('/:id', ({ params }) => accountState(store.read, params.id), {
      params: ById,
      response: { 200: response(getAccountState.answer) },
    })
