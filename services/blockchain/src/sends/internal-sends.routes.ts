import { getSend, NewSend, SendState, sendChanges } from '@bursar/contracts/blockchain'
import { t, uuid } from '@bursar/contracts/schema'
import { queryInteger, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { sendProblem } from './send-problem'
import { createSend, findSend, sendRecords, toSendState } from './sends'

/** For the other services only (contracts/blockchain.ts): orders to send. */
export const internalSendRoutes = ({ identity, networks, store, wakes }: BlockchainDeps) =>
  new Elysia({ prefix: '/internal/sends', detail: { hide: true } })
    .post(
      '/',
      async ({ request, body, status }) => {
        await requireService(identity, request)
        const checked = await sendProblem(networks, body)
        const { row, isNew } = await store.commit((tx) => createSend(tx, checked.order, checked.problem, new Date()))
        wakes.wake('sends', row.network)
        return status(isNew ? 201 : 200, toSendState(row))
      },
      { body: NewSend, response: { 200: response(SendState), 201: response(SendState) } },
    )
    .get(
      '/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await sendRecords.pageAfter(store.read, query.after, toSendState)
      },
      {
        query: t.Object({ after: queryInteger({ minimum: 0, default: 0 }) }),
        response: { 200: response(sendChanges.answer) },
      },
    )
    .get(
      '/:id',
      async ({ request, params }) => {
        await requireService(identity, request)
        const row = await findSend(store.read, params.id)
        if (!row) throw fail('NOT_FOUND', { message: 'Send not found' })
        return toSendState(row)
      },
      { params: t.Object({ id: uuid() }), response: { 200: response(getSend.answer) } },
    )
