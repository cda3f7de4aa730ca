import { Deleted, deleted, idempotent, operation, page, pageOf, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import {
  activeCustodianBanks,
  addCustodianBank,
  custodianBankList,
  deleteCustodianBank,
  toCustodianBank,
} from './custodian-banks'
import { ByBankId, CustodianBank, Custodians, NewCustodianBank, PageQuery } from './custodian-banks.model'

/** Spec 3, Main API: custodian banks, for administrators, and those that participants choose from. */
export function custodianBankRoutes(deps: MainApiDeps) {
  const { store, now } = deps
  const once = idempotent(deps)
  return new Elysia({ tags: ['Custodian banks'] })
    .get(
      '/admin/custodian-bank',
      async ({ query }) => {
        const { rows, total } = await custodianBankList.numbered(store.read, null, query)
        return page(rows.map(toCustodianBank), query, total)
      },
      {
        query: PageQuery,
        response: { 200: response(pageOf(CustodianBank)) },
        detail: operation('listCustodianBanks', 'List the custodian banks, oldest first'),
      },
    )
    .post(
      '/admin/custodian-bank',
      ({ request, set, body }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) => reply(tx, 201, toCustodianBank(await addCustodianBank(tx, body, now())))),
        ),
      {
        body: NewCustodianBank,
        response: { 201: response(CustodianBank) },
        detail: operation('addCustodianBank', 'Add a custodian bank', { 409: 'Another custodian bank has this name' }),
      },
    )
    .delete(
      '/admin/custodian-bank/:id',
      async ({ params }) => {
        await store.commit((tx) => deleteCustodianBank(tx, params.id, now()))
        return deleted('Custodian bank deleted')
      },
      {
        params: ByBankId,
        response: { 200: response(Deleted) },
        detail: operation('deleteCustodianBank', 'Delete a custodian bank', {
          409: 'Participants have accounts at it',
        }),
      },
    )
    .get(
      '/custodians',
      async () => ({ data: (await activeCustodianBanks(store.read).execute()).map(toCustodianBank) }),
      {
        response: { 200: response(Custodians) },
        detail: operation('listCustodians', 'List the active custodian banks, by name'),
      },
    )
}
