import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { SignedTransaction, TransactionToSign } from '@bursar/contracts/signing'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { signTransaction, signTransactions } from './sign-transaction'

/**
 * For the blockchain service only (contracts/signing.ts). Without idempotency keys: a repeat gets the same signature.
 */
export const signingRoutes = (deps: WalletDeps) =>
  new Elysia({ prefix: '/internal' })
    .post(
      '/sign-transaction',
      async ({ request, body }) => {
        await requireService(deps.identity, request, ['blockchain'])
        return await signTransaction(deps, body)
      },
      { body: TransactionToSign, response: { 200: response(SignedTransaction) }, detail: { hide: true } },
    )
    .post(
      '/sign-transactions',
      async ({ request, body }) => {
        await requireService(deps.identity, request, ['blockchain'])
        return await signTransactions(deps, body.items)
      },
      {
        body: batchOf(TransactionToSign),
        response: { 200: response(batchAnswer(SignedTransaction)) },
        detail: { hide: true },
      },
    )
