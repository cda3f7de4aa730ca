import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { SignedTransaction, TransactionToSign } from '@bursar/contracts/signing'
import { answerEach, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { signTransaction } from './sign-transaction'

/** For the other services only (contracts/wallet.ts). They take no idempotency key: the same again is signed alike. */
export const signingRoutes = (deps: WalletDeps) =>
  new Elysia({ prefix: '/internal' })
    .post(
      '/sign-transaction',
      async ({ request, body }) => {
        await requireService(deps.identity, request)
        return await signTransaction(deps, body)
      },
      { body: TransactionToSign, response: { 200: response(SignedTransaction) }, detail: { hide: true } },
    )
    .post(
      '/sign-transactions',
      async ({ request, body }) => {
        await requireService(deps.identity, request)
        return await answerEach(
          body.items,
          ({ orderId }) => orderId,
          (item) => signTransaction(deps, item),
        )
      },
      {
        body: batchOf(TransactionToSign),
        response: { 200: response(batchAnswer(SignedTransaction)) },
        detail: { hide: true },
      },
    )
