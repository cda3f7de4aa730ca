import { t } from '@bursar/contracts/schema'
import { operation, response, totalHeader } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { openSendList, openSends, sendDetail } from './open-sends'
import { BySend, Send, SendDetail, SendQuery } from './sends.model'

/** Not in the specification: sends, for operators. */
export const sendRoutes = ({ store }: BlockchainDeps) =>
  new Elysia({ prefix: '/sends', tags: ['Networks'] })
    .get(
      '/',
      async ({ query, set }) => {
        if (query.count) set.headers[totalHeader] = String(await openSendList.count(store.read, query))
        return await openSends(store.read, query)
      },
      {
        query: SendQuery,
        response: { 200: response(t.Array(Send)) },
        detail: operation('listSends', 'List sends that have not ended, the oldest first'),
      },
    )
    .get('/:id', ({ params }) => sendDetail(store.read, params.id), {
      params: BySend,
      response: { 200: response(SendDetail) },
      detail: operation('getSend', 'Get a send with its signed transactions', { 404: 'There is no send of this id' }),
    })
