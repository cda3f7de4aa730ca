import type { Network } from '@bursar/contracts/blockchain'
import { and, type Db, eq, inArray, isNotNull, param, queryAmong } from '@bursar/store'
import { askedAccount } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import { contractKey, holdingsOf } from '../networks/holdings'
import { findTokenAccount } from '../token-accounts/token-accounts'
import { hotAddress } from '../wallets/deployment-holdings'
import { findWallet } from '../wallets/wallets'
import type { OrderRow } from './orders'
import { orders } from './orders.table'

/** The payer and the fee payer, with their balances on the chain. */
export interface Payer {
  address: string
  /** Null: the paying address. */
  feePayer: string | null
  asset: bigint
  /** The native coin at the address that pays the fee. */
  coin: bigint
  /** What each of them had to pay before their balances were read, which may still be in these. */
  before: readonly (readonly OpenOrder[])[]
}

/** The native balance that an address needs to pay a fee, in the smallest unit. */
export const feeReserves: Record<Network['kind'], bigint> = { evm: 10n ** 16n, solana: 3_000_000n, simulated: 0n }

/** Solana refuses payments that leave less than this, but more than nothing, at an address (rent exemption). */
const leastLamports = 890_880n

/**
 * The addresses that may pay an order, in order of preference: the account's own wallet, the deployment's hot wallet,
 * then the richest ones of the pool. A portfolio's wallet belongs to its owner only: it pays for no other account, and
 * no other address pays for it, nor its fee.
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

/** The open orders that an address pays, or pays the fees of. */
type OpenOrdersAt = (network: string, address: string) => Promise<readonly OpenOrder[]>

/** Reads them once for each address: they may be many, and a batch asks for one address many times. */
export function openOrdersOnce(db: Db): OpenOrdersAt {
  const known = new Map<string, ReturnType<OpenOrdersAt>>()
  return (network, address) =>
    known.getOrInsertComputed(`${network} ${address}`, () => openOrders(db, [address], network))
}

/** The funds of an address for an order. */
export async function payerAt(
  deps: WalletDeps,
  order: OrderRow,
  { kind, openAt }: { kind: Network['kind']; openAt: OpenOrdersAt },
  address: string,
): Promise<Payer> {
  const { network, contractAddress } = order
  const feePayer = kind === 'solana' ? await feePayerOf(deps, order, address) : null
  const addresses = feePayer === null ? [address] : [address, feePayer]
  const before = await Promise.all(addresses.map((each) => openAt(network, each)))
  const held = await holdingsOf(deps.holdings, network, address)
  const coins = feePayer === null ? held : await holdingsOf(deps.holdings, network, feePayer)
  return { address, feePayer, asset: held(contractAddress), coin: coins(null), before }
}

/**
 * On Solana another address can pay the fee: that of the token account, else the hot wallet. A portfolio pays its own.
 */
async function feePayerOf(deps: WalletDeps, order: OrderRow, address: string): Promise<string | null> {
  const { store, keys } = deps
  const hot = hotAddress(keys, order.network)
  const own = await findWallet(store.read, order.accountId, order.network)
  if (address === hot || (await askedAccount(deps, order.accountId))?.type === 'PORTFOLIO') return null
  const tokenAccount = own && (await findTokenAccount(store.read, own.id, order.contractAddress))
  const feePayerId = own?.address === address ? tokenAccount?.feePayerAccountId : null
  const feePayer = feePayerId ? await askedAccount(deps, feePayerId) : undefined
  if (feePayer?.type !== 'FEE_PAYER') return hot
  return (await findWallet(store.read, feePayer.id, order.network))?.address ?? hot
}

type Claim = Pick<OrderRow, 'contractAddress' | 'amount'>
type OpenOrder = Claim & Pick<OrderRow, 'id' | 'payer' | 'feePayer'>

/** The claims of open orders on an address: how many it pays the fees of, and the amount of each token. */
interface Load {
  fees: number
  taken: Map<string | null, bigint>
}
/** The load of a payer and of its fee payer; the same object if they are one address. */
export interface Loads {
  payer: Load
  coinPayer: Load
}

/**
 * The loads of payers of a network, by their addresses, as claims are added: an address has one load, whatever it pays. What has
 * ended since its balance was read counts as well.
 */
export async function loadsOf(db: Db, network: string, payers: readonly Payer[]): Promise<(payer: Payer) => Loads> {
  const addresses = new Set(
    payers.flatMap(({ address, feePayer }) => (feePayer === null ? [address] : [address, feePayer])),
  )
  const loads = new Map<string, Load>([...addresses].map((address) => [address, { fees: 0, taken: new Map() }]))
  const open = await openOrders(db, [...addresses], network)
  const before = new Set(payers.flatMap((payer) => payer.before))
  const claims = new Map([...before, open].flatMap((some) => some.map((each) => [each.id, each])))
  const loadsAt = (address: string, feePayer: string | null) => ({
    payer: loads.get(address),
    coinPayer: loads.get(feePayer ?? address),
  })
  for (const { payer, feePayer, ...claim } of claims.values()) addClaim(loadsAt(payer ?? '', feePayer), claim)
  return ({ address, feePayer }) => loadsAt(address, feePayer) as Loads
}

/** Counts an order among those that addresses pay, and pay the fees of. */
export function addClaim({ payer, coinPayer }: Partial<Loads>, { contractAddress, amount }: Claim): void {
  if (coinPayer) coinPayer.fees += 1
  if (!payer) return
  const key = contractKey(contractAddress)
  payer.taken.set(key, (payer.taken.get(key) ?? 0n) + amount)
}

/** Whether a payer has enough, besides the claims of its other open orders. */
export function canPay(order: Claim, payer: Payer, loads: Loads, kind: Network['kind']): boolean {
  const { contractAddress, amount } = order
  const left = payer.asset - (loads.payer.taken.get(contractKey(contractAddress)) ?? 0n) - amount
  const isDust = kind === 'solana' && contractAddress === null && left > 0n && left < leastLamports
  const coinsTaken = loads.coinPayer.taken.get(null) ?? 0n
  const fees = feeReserves[kind] * BigInt(loads.coinPayer.fees + 1)
  const coinsBesides = payer.feePayer === null && contractAddress === null ? amount : 0n
  return left >= 0n && !isDust && payer.coin >= coinsTaken + fees + coinsBesides
}

/** By two statements, so an order may come twice: of an "or" over two columns SQLite reads all open orders of the network. */
async function openOrders(db: Db, addresses: readonly string[], network: string): Promise<OpenOrder[]> {
  const [paid, fees] = [await openPaidBy(db, addresses, { network }), await openFeesOf(db, addresses, { network })]
  return [...paid, ...fees]
}

const openOrdersWith = (column: typeof orders.payer | typeof orders.feePayer) =>
  queryAmong(
    (addresses) => (db) =>
      db
        .select({
          id: orders.id,
          payer: orders.payer,
          feePayer: orders.feePayer,
          contractAddress: orders.contractAddress,
          amount: orders.amount,
        })
        .from(orders)
        .where(and(eq(orders.network, param('network')), inArray(column, addresses), isNotNull(orders.dueAt))),
  )
const openPaidBy = openOrdersWith(orders.payer)
const openFeesOf = openOrdersWith(orders.feePayer)
