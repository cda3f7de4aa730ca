import { t } from '@bursar/contracts/schema'
import { getWalletAddresses } from '@bursar/contracts/wallet'
import { type Deps, failuresOf, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { addAddresses, newAddresses } from '../addresses/addresses'
import { getAccount } from './accounts'
import { ById } from './accounts.model'

/** Spec 3, GET /accounts/:id/addresses: answered by the wallet service. */
export const addressRoutes = ({ store, client }: Deps) =>
  new Elysia({ prefix: '/accounts', tags: ['Accounts'] }).get(
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
      detail: operation('listAccountAddresses', 'List the on-chain addresses of an account', {
        ...failuresOf('The wallet service'),
      }),
    },
  )
