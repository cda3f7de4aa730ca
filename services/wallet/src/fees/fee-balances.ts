import type { Network } from '@bursar/contracts/blockchain'
import { ifCallFails } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { and, count, type Db, eq, isNotNull, isNull, param, prepared, type SQL } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import type { WalletDeps } from '../deps'
import { holdingsOf } from '../networks/holdings'
import { orders } from '../orders/orders.table'
import { feeReserves } from '../orders/payers'
import { hotAddress } from '../wallets/deployment-holdings'
import { wallets } from '../wallets/wallets.table'
import type { FeeBalance } from './fee-balances.model'

/** The maximum number of participants' fee payers that are queried. */
const mostFeePayers = 50

/**
 * The native balances of the addresses that pay the networks' fees: the deployment's own on each network, and those
 * of participants' fee-payer accounts. Rejects with CallError when the blockchain service is unreachable.
 */
export async function feeBalances(deps: WalletDeps): Promise<FeeBalance[]> {
  const known = await deps.networks.list()
  const feePayers = await feePayerWallets(deps.store.read).execute()
  const asked = known.flatMap((network) => [
    { network, address: hotAddress(deps.keys, network.name), accountId: null },
    ...feePayers
      .filter((wallet) => wallet.network === network.name)
      .map(({ address, accountId }) => ({ network, address, accountId })),
  ])
  return await Promise.all(asked.map((each) => balanceOf(deps, each)))
}

interface Asked {
  network: Network
  address: string
  accountId: string | null
}

async function balanceOf(deps: WalletDeps, { network, address, accountId }: Asked): Promise<FeeBalance> {
  const { name, kind, nativeCode, nativeDecimals } = network
  const openOrders = await openOrdersOf(deps.store.read, name, address)
  // The balance needed for one more order (orders/payers.ts): the open ones that it pays take their coins as well.
  const needed = feeReserves[kind] * BigInt(openOrders + 1) + (await takenCoins(deps.store.read, name, address))
  const held = await heldAt(deps, name, address)
  return {
    network: name,
    kind,
    address,
    accountId,
    code: nativeCode,
    balance: held === null ? null : formatAmount(held, nativeDecimals),
    needed: formatAmount(needed, nativeDecimals),
    openOrders,
    isLow: held === null ? null : held < needed,
  }
}

/** Null if the network is unreachable: the others are still returned. */
async function heldAt({ holdings }: WalletDeps, network: string, address: string): Promise<bigint | null> {
  const held = await ifCallFails(holdingsOf(holdings, network, address), () => null)
  return held ? held(null) : null
}

async function openOrdersOf(db: Db, network: string, payer: string): Promise<number> {
  const [own] = await ordersPaidBy(db).execute({ network, payer })
  const [others] = await ordersWithFeesBy(db).execute({ network, payer })
  return (own?.orders ?? 0) + (others?.orders ?? 0)
}

/** The native coins that its open orders pay. */
async function takenCoins(db: Db, network: string, payer: string): Promise<bigint> {
  const paid = await coinsPaidBy(db).execute({ network, payer })
  return paid.reduce((sum, { amount }) => sum + amount, 0n)
}

const feePayerWallets = prepared((db) =>
  db
    .select({ network: wallets.network, address: wallets.address, accountId: wallets.accountId })
    .from(accounts)
    .innerJoin(wallets, eq(wallets.accountId, accounts.id))
    .where(and(isNotNull(accounts.participantId), eq(accounts.type, 'FEE_PAYER')))
    .limit(mostFeePayers),
)
const isOpen = and(eq(orders.network, param('network')), isNotNull(orders.dueAt))
const isPaidBy = eq(orders.payer, param('payer'))
const countOpen = (isMeant: SQL | undefined) =>
  prepared((db) => db.select({ orders: count() }).from(orders).where(and(isMeant, isOpen)))
const coinsPaidBy = prepared((db) =>
  db
    .select({ amount: orders.amount })
    .from(orders)
    .where(and(isPaidBy, isNull(orders.contractAddress), isOpen)),
)
const ordersPaidBy = countOpen(and(isPaidBy, isNull(orders.feePayer)))
const ordersWithFeesBy = countOpen(eq(orders.feePayer, param('payer')))
