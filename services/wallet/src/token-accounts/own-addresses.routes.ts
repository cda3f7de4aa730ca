import { t } from '@bursar/contracts/schema'
import { lookUpAddress } from '@bursar/contracts/wallet'
import { internalRoutes, response } from '@bursar/http'
import type { WalletDeps } from '../deps'
import { requireNetworkName } from '../wallets/wallets'
import { isOwnAddress } from './own-addresses'

/** Called by other services only (contracts/wallet.ts). */
export const ownAddressRoutes = (deps: WalletDeps) =>
  internalRoutes(deps.identity, '/internal/addresses').get(
    '/:network/:address',
    async ({ params }) => ({ isOwn: await isOwnAddress(deps, requireNetworkName(params.network), params.address) }),
    {
      params: t.Object({ network: t.String(), address: t.String() }),
      response: { 200: response(lookUpAddress.answer) },
    },
  )
