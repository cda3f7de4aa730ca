import { t, uuid } from '@bursar/contracts/schema'
import { getHotAddresses, getWalletAddresses, walletChanges } from '@bursar/contracts/wallet'
import { ChangesQuery, internalRoutes, response } from '@bursar/http'
import type { WalletDeps } from '../deps'
import { hotPlace } from '../keys/key-place'
import { readHoldings } from './deployment-holdings'
import { getWalletAccount } from './wallet-accounts'
import { addressesOf, requireNetworkName, toWallet, walletRecords } from './wallets'
import { DeploymentHoldings, HoldingsQuery } from './wallets.model'

/** Called by other services only (contracts/wallet.ts). */
export const internalWalletRoutes = (deps: WalletDeps) =>
  internalRoutes(deps.identity, '/internal')
    .get('/accounts/:accountId/addresses', ({ params }) => addressesOf(deps.store.read, params.accountId), {
      params: t.Object({ accountId: uuid() }),
      response: { 200: response(getWalletAddresses.answer) },
    })
    .get(
      '/wallet-accounts/:walletAccountId',
      async ({ params }) => {
        const { id } = await getWalletAccount(deps.store.read, params.walletAccountId)
        return { id }
      },
      {
        params: t.Object({ walletAccountId: uuid() }),
        response: { 200: response(t.Object({ id: uuid() })) },
      },
    )
    .get('/wallets/changes', ({ query }) => walletRecords.pageAfter(deps.store, query.after, toWallet), {
      query: ChangesQuery,
      response: { 200: response(walletChanges.answer) },
    })
    .get(
      '/hot-addresses',
      () => families.map((family) => ({ family, address: deps.keys.addressOf(family, hotPlace) })),
      { response: { 200: response(getHotAddresses.answer) } },
    )
    .get(
      '/holdings/:network',
      ({ params, query }) => readHoldings(deps, requireNetworkName(params.network), query.after),
      {
        params: t.Object({ network: t.String() }),
        query: HoldingsQuery,
        response: { 200: response(DeploymentHoldings) },
      },
    )

const families = ['evm', 'solana'] as const
