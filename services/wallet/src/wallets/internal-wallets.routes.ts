import { t, uuid } from '@bursar/contracts/schema'
import { getHotAddresses, walletChanges } from '@bursar/contracts/wallet'
import { queryInteger, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { hotPlace } from '../keys/key-place'
import { readHoldings } from './deployment-holdings'
import { getWalletAccount } from './wallet-accounts'
import { addressesOf, requireNetworkName, toWallet, walletRecords } from './wallets'
import { DeploymentHoldings, HoldingsQuery } from './wallets.model'

/** Called by other services only (contracts/wallet.ts). */
export const internalWalletRoutes = (deps: WalletDeps) =>
  new Elysia({ prefix: '/internal' })
    .get(
      '/accounts/:accountId/addresses',
      async ({ request, params }) => {
        await requireService(deps.identity, request)
        return await addressesOf(deps.store.read, params.accountId)
      },
      {
        params: t.Object({ accountId: uuid() }),
        response: { 200: response(t.Array(t.String())) },
        detail: { hide: true },
      },
    )
    .get(
      '/wallet-accounts/:walletAccountId',
      async ({ request, params }) => {
        await requireService(deps.identity, request)
        const { id } = await getWalletAccount(deps.store.read, params.walletAccountId)
        return { id }
      },
      {
        params: t.Object({ walletAccountId: uuid() }),
        response: { 200: response(t.Object({ id: uuid() })) },
        detail: { hide: true },
      },
    )
    .get(
      '/wallets/changes',
      async ({ request, query }) => {
        await requireService(deps.identity, request)
        return await walletRecords.pageAfter(deps.store, query.after, toWallet)
      },
      {
        query: t.Object({ after: queryInteger({ minimum: 0, default: 0 }) }),
        response: { 200: response(walletChanges.answer) },
        detail: { hide: true },
      },
    )
    .get(
      '/hot-addresses',
      async ({ request }) => {
        await requireService(deps.identity, request)
        return families.map((family) => ({ family, address: deps.keys.addressOf(family, hotPlace) }))
      },
      { response: { 200: response(getHotAddresses.answer) }, detail: { hide: true } },
    )
    .get(
      '/holdings/:network',
      async ({ request, params, query }) => {
        await requireService(deps.identity, request)
        return await readHoldings(deps, requireNetworkName(params.network), query.after)
      },
      {
        params: t.Object({ network: t.String() }),
        query: HoldingsQuery,
        response: { 200: response(DeploymentHoldings) },
        detail: { hide: true },
      },
    )

const families = ['evm', 'solana'] as const
