import { signTransaction as contract, TransactionToSign } from '@bursar/contracts/wallet'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { signTransaction } from './sign-transaction'

/** For the other services only (contracts/wallet.ts). It takes no idempotency key: the same again is signed alike. */
export const signingRoutes = (deps: WalletDeps) =>
  new Elysia({ prefix: '/internal' }).post(
    '/sign-transaction',
    async ({ request, body }) => {
      await requireService(deps.identity, request)
      return await signTransaction(deps, body)
    },
    { body: TransactionToSign, response: { 200: response(contract.answer) }, detail: { hide: true } },
  )
