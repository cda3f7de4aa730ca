import { t } from '@bursar/contracts/schema'
import { type Deps, errorResponses, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { ById } from '../accounts/accounts.model'
import { accountAddresses } from './addresses'

/** Spec 3, GET /accounts/:id/addresses. */
export const addressRoutes = ({ store, client }: Deps) =>
  new Elysia({ prefix: '/accounts', tags: ['Accounts'] }).get(
    '/:id/addresses',
    ({ params }) => accountAddresses(store, client, params.id),
    {
      params: ById,
      response: { 200: response(t.Array(t.String())) },
      detail: {
        summary: 'List the on-chain addresses of an account',
        responses: errorResponses({
          502: 'The wallet service gave an answer that cannot be used',
          503: 'The wallet service cannot be reached',
          504: 'The wallet service did not answer in time',
        }),
      },
    },
  )
