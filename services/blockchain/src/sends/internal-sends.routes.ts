import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { NewSend, SendState, sendChanges } from '@bursar/contracts/blockchain'
import { t, uuid } from '@bursar/contracts/schema'
import { answerEach, queryInteger, requireService, response } from '@bursar/http'
import { batched } from '@bursar/store'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { callSenders } from './queue'
import { sendProblem } from './send-problem'
import { type CheckedSend, createSends, findSend, sendRecords, toSendState } from './sends'

const SendStates = batchAnswer(SendState)

/** Called by other services only (contracts/blockchain.ts): orders to send, which the wallet service alone may give. */
export function internalSendRoutes({ identity, networks, store, wakes, clock }: BlockchainDeps) {
  const create = batched(
    ({ order }: CheckedSend) => order.id,
    async (tx, checked) => {
      const now = clock()
      const created = await createSends(tx, checked, now)
      const waiting = created.flatMap(({ row }) => (row.status === 'accepted' ? [row] : []))
      await callSenders(tx, waiting, now)
      return created
    },
  )
  async function take(order: NewSend) {
    const taken = await create(store, await sendProblem(networks, order))
    wakes.wake('sends', taken.row.network)
    return taken
  }
  async function stateOf(id: string): Promise<SendState> {
    const row = await findSend(store.read, id)
    if (!row) throw fail('NOT_FOUND', { message: 'Send not found' })
    return toSendState(row)
  }
  return new Elysia({ prefix: '/internal/sends', detail: { hide: true } })
    .post(
      '/',
      async ({ request, body, status }) => {
        await requireService(identity, request, ['wallet'])
        const { row, isNew } = await take(body)
        return status(isNew ? 201 : 200, toSendState(row))
      },
      { body: NewSend, response: { 200: response(SendState), 201: response(SendState) } },
    )
    .post(
      '/batch',
      async ({ request, body }) => {
        await requireService(identity, request, ['wallet'])
        return await answerEach(
          body.items,
          ({ id }) => id,
          async (order) => toSendState((await take(order)).row),
        )
      },
      { body: batchOf(NewSend), response: { 200: response(SendStates) } },
    )
    .post(
      '/states',
      async ({ request, body }) => {
        await requireService(identity, request, ['wallet'])
        return await answerEach(body.items, String, stateOf)
      },
      { body: batchOf(uuid()), response: { 200: response(SendStates) } },
    )
    .get(
      '/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await sendRecords.pageAfter(store, query.after, toSendState)
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
        return await stateOf(params.id)
      },
      { params: t.Object({ id: uuid() }), response: { 200: response(SendState) } },
    )
}
