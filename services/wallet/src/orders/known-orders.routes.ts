import { batchOf } from '@bursar/contracts/batch'
import { uuid } from '@bursar/contracts/schema'
import { getKnownOrders, type KnownOrder } from '@bursar/contracts/wallet'
import { answerEach, internalRoutes, response } from '@bursar/http'
import type { WalletDeps } from '../deps'
import { getOrder, type OrderRow } from './orders'

/** For the ledger and the blockchain service only (contracts/wallet.ts): orders of either kind, after a restore. */
export const knownOrderRoutes = ({ store, identity }: WalletDeps) =>
  internalRoutes(identity, '/internal/orders', ['core-ledger', 'blockchain']).post(
    '/known',
    async ({ body }) => await answerEach(body.items, String, async (id) => toKnown(await getOrder(store.read, id))),
    { body: batchOf(uuid()), response: { 200: response(getKnownOrders.answer) } },
  )

const toKnown = ({ id, kind, accountId, network, status, txHash }: OrderRow): KnownOrder => ({
  id,
  kind,
  accountId: accountId || null,
  network: network || null,
  status,
  txHash,
})
