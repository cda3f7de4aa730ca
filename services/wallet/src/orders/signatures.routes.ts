import { batchOf } from '@bursar/contracts/batch'
import { t, text } from '@bursar/contracts/schema'
import { getSignedOrders } from '@bursar/contracts/wallet'
import { answerEach, internalRoutes, response } from '@bursar/http'
import type { WalletDeps } from '../deps'
import { signedOrder } from './signatures'

/** For the blockchain service only (contracts/wallet.ts): the orders of transactions. */
export const signatureRoutes = ({ store, identity }: WalletDeps) =>
  internalRoutes(identity, '/internal/signatures', ['blockchain']).post(
    '/orders',
    async ({ body }) =>
      await answerEach(
        body.items,
        ({ txHash }) => txHash,
        async ({ network, txHash }) => ({ order: await signedOrder(store.read, network, txHash) }),
      ),
    {
      body: batchOf(t.Object({ network: text(128), txHash: text(128) })),
      response: { 200: response(getSignedOrders.answer) },
    },
  )
