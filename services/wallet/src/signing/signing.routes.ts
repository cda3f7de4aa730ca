import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { SignedTransaction, TransactionToSign } from '@bursar/contracts/signing'
import { internalRoutes, response } from '@bursar/http'
import type { WalletDeps } from '../deps'
import { signTransaction, signTransactions } from './sign-transaction'

/**
 * For the blockchain service only (contracts/signing.ts). Without idempotency keys: a repeat gets the same signature.
 */
export const signingRoutes = (deps: WalletDeps) =>
  internalRoutes(deps.identity, '/internal', ['blockchain'])
    .post('/sign-transaction', ({ body }) => signTransaction(deps, body), {
      body: TransactionToSign,
      response: { 200: response(SignedTransaction) },
    })
    .post('/sign-transactions', ({ body }) => signTransactions(deps, body.items), {
      body: batchOf(TransactionToSign),
      response: { 200: response(batchAnswer(SignedTransaction)) },
    })
