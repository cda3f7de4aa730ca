import { t } from '@bursar/contracts/schema'
import { lookUpAddress } from '@bursar/contracts/wallet'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { requireNetworkName } from '../wallets/wallets'
import { isOwnAddress } from './own-addresses'

/** Called by other services only (contracts/wallet.ts). */
export const ownAddressRoutes = (deps: WalletDeps) =>
  new Elysia({ prefix: '/internal/addresses', detail: { hide: true } }).get(
    '/:network/:address',
    async ({ request, params }) => {
      await requireService(deps.identity, request)
      return { isOwn: await isOwnAddress(deps, requireNetworkName(params.network), params.address) }
    },
    {
      params: t.Object({ network: t.String(), address: t.String() }),
      response: { 200: response(lookUpAddress.answer) },
    },
  )
