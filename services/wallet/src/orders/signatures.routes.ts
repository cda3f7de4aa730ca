import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { t, text } from '@bursar/contracts/schema'
import { SignedOrder } from '@bursar/contracts/wallet'
import { answerEach, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { signedOrder } from './signatures'

/** For the blockchain service only (contracts/wallet.ts): the orders of transactions. */
export const signatureRoutes = ({ store, identity }: WalletDeps) =>
  new Elysia({ prefix: '/internal/signatures', detail: { hide: true } }).post(
    '/orders',
    async ({ request, body }) => {
      await requireService(identity, request, ['blockchain'])
      return await answerEach(
        body.items,
        ({ txHash }) => txHash,
        async ({ network, txHash }) => ({ order: await signedOrder(store.read, network, txHash) }),
      )
    },
    {
      body: batchOf(t.Object({ network: text(128), txHash: text(128) })),
      response: { 200: response(batchAnswer(t.Object({ order: t.Union([SignedOrder, t.Null()]) }))) },
    },
  )
