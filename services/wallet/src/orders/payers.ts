import type { Network } from '@bursar/contracts/blockchain'
import { and, type Db, eq, isNotNull, ne, param, prepared } from '@bursar/store'
import { askedAccount } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import { contractKey, holdingsOf } from '../networks/holdings'
import { findTokenAccount } from '../token-accounts/token-accounts'
import { hotAddress } from '../wallets/deployment-holdings'
import { findWallet } from '../wallets/wallets'
import type { OrderRow } from './orders'
import { orders } from './orders.table'

/** Who pays, and who pays the fee; what they hold is what the chain says. */
export interface Payer {
  address: string
  /** Null: the paying address. */
  feePayer: string | null
  asset: bigint
  /** The native coin at the address that pays the fee. */
  coin: bigint
}

/** The native coin that an address must hold to pay a fee, in the smallest unit. */
const feeReserves: Record<Network['kind'], bigint> = { evm: 10n ** 16n, solana: 3_000_000n, simulated: 0n }

/** Solana takes no payment that leaves less than this at an address, unless it leaves nothing (rent exemption). */
const leastLamports = 890_880n

/**
 * The addresses that may pay an order, the one to be preferred first: the account's own wallet, the deployment's hot
 * wallet, then the richest ones of the pool. A portfolio's wallet is its owner's alone: it pays for no other account,
 * and no other address pays for it.
 */
export async function* candidates(deps: WalletDeps, order: OrderRow): AsyncGenerator<string> {
  const { store, keys } = deps
  const [account, own] = await Promise.all([
    askedAccount(deps, order.accountId),
    findWallet(store.read, order.accountId, order.network),
  ])
  if (own) yield own.address
  if (account?.type === 'PORTFOLIO') return
  yield hotAddress(keys, order.network)
  for (const address of await deps.richest(order.network, order.contractAddress)) {
    if (address !== own?.address) yield address
  }
}

/** What an address could pay an order with. */
export async function payerAt(
  deps: WalletDeps,
  order: OrderRow,
  kind: Network['kind'],
  address: string,
): Promise<Payer> {
  const { network, contractAddress } = order
  const feePayer = kind === 'solana' ? await feePayerOf(deps, order, address) : null
  const held = await holdingsOf(deps.client, network, address)
  const coins = feePayer === null ? held : await holdingsOf(deps.client, network, feePayer)
  return { address, feePayer, asset: held(contractAddress), coin: coins(null) }
}

/** On Solana another address can pay the fee: that of the token account, else the hot wallet. */
async function feePayerOf({ store, keys }: WalletDeps, order: OrderRow, address: string): Promise<string | null> {
  const hot = hotAddress(keys, order.network)
  if (address === hot) return null
  const own = await findWallet(store.read, order.accountId, order.network)
  const tokenAccount = own && (await findTokenAccount(store.read, own.id, order.contractAddress))
  const feePayerId = own?.address === address ? tokenAccount?.feePayerAccountId : null
  const feeWallet = feePayerId ? await findWallet(store.read, feePayerId, order.network) : undefined
  return feeWallet?.address ?? hot
}

/** Whether a payer holds enough, besides what the orders that it already pays may still take. */
export async function canPay(db: Db, order: OrderRow, payer: Payer, kind: Network['kind']): Promise<boolean> {
  const { network, contractAddress, amount } = order
  const paysItsFees = payer.feePayer === null
  const ofPayer = await openOrders(db).execute({ network, payer: payer.address, except: order.id })
  const ofCoinPayer = paysItsFees
    ? ofPayer
    : await openOrders(db).execute({ network, payer: payer.feePayer, except: order.id })
  const left = payer.asset - taken(ofPayer, contractAddress) - amount
  const isDust = kind === 'solana' && contractAddress === null && left > 0n && left < leastLamports
  const fees = feeReserves[kind] * BigInt(ofCoinPayer.length + 1)
  const coinsBesides = paysItsFees && contractAddress === null ? amount : 0n
  return left >= 0n && !isDust && payer.coin >= taken(ofCoinPayer, null) + fees + coinsBesides
}

/** How much of an asset open orders take. */
const taken = (open: readonly Pick<OrderRow, 'contractAddress' | 'amount'>[], contractAddress: string | null): bigint =>
  open
    .filter((each) => contractKey(each.contractAddress) === contractKey(contractAddress))
    .reduce((sum, each) => sum + each.amount, 0n)

const openOrders = prepared((db) =>
  db
    .select({ contractAddress: orders.contractAddress, amount: orders.amount })
    .from(orders)
    .where(
      and(
        eq(orders.network, param('network')),
        eq(orders.payer, param('payer')),
        isNotNull(orders.dueAt),
        ne(orders.id, param('except')),
      ),
    ),
)
