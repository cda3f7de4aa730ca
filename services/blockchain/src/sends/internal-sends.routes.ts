import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { NewSend, SendState, sendChanges } from '@bursar/contracts/blockchain'
import { t, uuid } from '@bursar/contracts/schema'
import { answerEach, ChangesQuery, internalRoutes, response } from '@bursar/http'
import { batched, type Db } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { callSenders } from './queue'
import { sendProblem } from './send-problem'
import { type CheckedSend, createSends, findSend, sendRecords, statesOf, toSendState } from './sends'

const SendStates = batchAnswer(SendState)

/** Orders to send, which the wallet service alone may give (contracts/blockchain.ts). */
export function sendOrderRoutes({ identity, networks, store, wakes, clock }: BlockchainDeps) {
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
  return internalRoutes(identity, '/internal/sends', ['wallet'])
    .post(
      '/',
      async ({ body, status }) => {
        const { row, isNew } = await take(body)
        return status(isNew ? 201 : 200, toSendState(row))
      },
      { body: NewSend, response: { 200: response(SendState), 201: response(SendState) } },
    )
    .post(
      '/batch',
      ({ body }) =>
        answerEach(
          body.items,
          ({ id }) => id,
          async (order) => toSendState((await take(order)).row),
        ),
      { body: batchOf(NewSend), response: { 200: response(SendStates) } },
    )
    .post('/states', async ({ body }) => ({ items: await statesOf(store.read, body.items) }), {
      body: batchOf(uuid()),
      response: { 200: response(SendStates) },
    })
}

/** What has become of them. */
export const sendStateRoutes = ({ identity, store }: BlockchainDeps) =>
  internalRoutes(identity, '/internal/sends')
    .get('/changes', ({ query }) => sendRecords.pageAfter(store, query.after, toSendState), {
      query: ChangesQuery,
      response: { 200: response(sendChanges.answer) },
    })
    .get('/:id', ({ params }) => stateOf(store.read, params.id), {
      params: t.Object({ id: uuid() }),
      response: { 200: response(SendState) },
    })

async function stateOf(db: Db, id: string): Promise<SendState> {
  const row = await findSend(db, id)
  if (!row) throw fail('NOT_FOUND', { message: 'Send not found' })
  return toSendState(row)
}
