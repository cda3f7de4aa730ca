import type { components as Blockchain } from '#types/blockchain'
import type { components as Core } from '#types/core-ledger'
import type { components as Wallet } from '#types/wallet'
import { useQuery } from '../../api/query'
import { useRead } from '../../api/read'
import { blockchain, core, pageOf, wallet } from '../../api/services'

export type NetworkStatus = Blockchain['schemas']['NetworkStatus']
export type Send = Blockchain['schemas']['Send']
export type Report = Core['schemas']['ReconciliationReport']
export type Holding = Core['schemas']['ReconciledHolding']
export type FeeBalance = Wallet['schemas']['FeeBalance']
export type WithdrawalOrder = Wallet['schemas']['WithdrawalOrder']
export type ListedWallet = Wallet['schemas']['ListedWallet']

export const useNetworks = () =>
  useRead(['networks'], (signal) => blockchain.GET('/networks', { signal }), { refetchInterval: 10_000 })

export const useFees = () =>
  useRead(['fee-balances'], (signal) => wallet.GET('/wallets/fees', { signal }), { refetchInterval: 30_000 })

export const useReport = () =>
  useRead(['reconciliation'], (signal) => core.GET('/books/reconciliation', { signal }), { refetchInterval: 30_000 })

/** The oldest open order, and the number of open orders. */
export const useOldestSend = () =>
  useQuery({
    queryKey: ['sends', 'oldest'],
    queryFn: async ({ signal }) => {
      const { rows, total } = await pageOf(
        wallet.GET('/wallets/withdrawals', { params: { query: { limit: 1, count: true } }, signal }),
      )
      return { total: total ?? rows.length, oldestAt: rows[0]?.createdAt ?? null }
    },
    refetchInterval: 10_000,
  })
