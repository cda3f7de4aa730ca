import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { uuid } from '@bursar/contracts/schema'
import { KnownOrder } from '@bursar/contracts/wallet'
import { answerEach, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { getOrder, type OrderRow } from './orders'

/** For the ledger and the blockchain service only (contracts/wallet.ts): orders of either kind, after a restore. */
export const knownOrderRoutes = ({ store, identity }: WalletDeps) =>
  new Elysia({ prefix: '/internal/orders', detail: { hide: true } }).post(
    '/known',
    async ({ request, body }) => {
      await requireService(identity, request, ['core-ledger', 'blockchain'])
      return await answerEach(body.items, String, async (id) => toKnown(await getOrder(store.read, id)))
    },
    { body: batchOf(uuid()), response: { 200: response(batchAnswer(KnownOrder)) } },
  )

const toKnown = ({ id, kind, accountId, network, status, txHash }: OrderRow): KnownOrder => ({
  id,
  kind,
  accountId: accountId || null,
  network: network || null,
  status,
  txHash,
})
