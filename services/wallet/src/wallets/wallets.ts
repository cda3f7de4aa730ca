import { networkName, networkNameRule } from '@bursar/contracts/network-name'
import type { Static } from '@bursar/contracts/schema'
import { type Wallet, WalletCreated } from '@bursar/contracts/wallet'
import {
  byKey,
  changedRecords,
  type Db,
  emit,
  eq,
  insertInto,
  ne,
  newId,
  param,
  rowsBy,
  rowsOf,
  type Tx,
} from '@bursar/store'
import { requireAccount } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import { fail, invalid } from '../errors'
import { placeOf } from '../keys/key-place'
import { familyOf } from '../networks/families'
import { assignWalletAccount } from './wallet-accounts'
import { wallets } from './wallets.table'
import { watch } from './watch-address'

export type WalletRow = typeof wallets.$inferSelect

/** The change feed that other services follow. */
export const walletRecords = changedRecords('wallet', wallets)

/** A network's name in its stored form. Fails with 400 for an invalid name. */
export function requireNetworkName(given: string): string {
  const name = networkName(given)
  if (name === null) throw invalid('network', `must be ${networkNameRule}`)
  return name
}

export async function findWallet(db: Db, accountId: string, network: string): Promise<WalletRow | undefined> {
  const [row] = await walletOf(db).execute({ accountId, network })
  return row
}

/** All wallets of these accounts. */
export const findWallets = rowsOf(wallets, 'accountId')

/**
 * Plans the wallet of an account on a network, with all that `keepWallet` needs. Calls other services, hence before the
 * commit. 404 when there is no such account, 400 in production when the blockchain service has no such network, 422
 * when it refuses the network.
 */
export async function planWallet(deps: WalletDeps, accountId: string, network: string): Promise<WalletRow> {
  const known = await findWallet(deps.store.read, accountId, network)
  if (known) return known
  const account = await requireAccount(deps, accountId)
  await requireNetwork(deps, network)
  // In lower case, because keys are derived from it: ids that differ only in case must not become two accounts with the
  // same keys.
  const walletAccountId = (account.walletAccountId ?? account.id).toLowerCase()
  const address = deps.keys.addressOf(familyOf(network), placeOf(walletAccountId))
  const isWatched = await watch(deps.client, {
    network,
    address,
    accountId: account.id,
    isPortfolio: account.type === 'PORTFOLIO',
  })
  const now = deps.clock()
  return {
    id: newId(),
    accountId: account.id,
    walletAccountId,
    network,
    address,
    watchedAt: isWatched ? now : null,
    createdAt: now,
  }
}

/** In production a wallet needs a network that the deployment has: 400. In the sandbox any name is simulated. */
async function requireNetwork({ networks, config }: WalletDeps, name: string) {
  if (config.environment !== 'production' || (await networks.byName(name))) return
  throw invalid('network', `must be one of this deployment: ${name} is not configured`)
}

/**
 * Stores a planned wallet with its event. If the same wallet was planned several times, the first one is stored and
 * returned.
 */
export async function keepWallet(tx: Tx, planned: WalletRow): Promise<WalletRow> {
  const known = await findWallet(tx, planned.accountId, planned.network)
  if (known) return known
  const { walletAccountId, accountId, createdAt } = planned
  await assignWalletAccount(tx, walletAccountId, accountId, createdAt)
  if (await isSharedAddress(tx, planned)) throw fail('CONFLICT')
  await insertWallet(tx).execute(planned)
  await walletRecords.mark(tx, planned.id)
  await emit(tx, WalletCreated, toWallet(planned), createdAt)
  return planned
}

/** The addresses of an account, oldest first, each once: EVM networks share one. */
export async function addressesOf(db: Db, accountId: string): Promise<string[]> {
  return [...new Set((await walletsOf(db, accountId)).map(({ address }) => address))]
}

/** The networks on which an account has wallets, oldest first. */
export async function networksOf(db: Db, accountId: string): Promise<string[]> {
  return (await walletsOf(db, accountId)).map(({ network }) => network)
}

/** The wallet at an address of this deployment; undefined for addresses of others. */
export async function walletAt(db: Db, network: string, address: string): Promise<WalletRow | undefined> {
  const [row] = await walletByAddress(db).execute({ network, address })
  return row
}

/** Whether its address belongs to another account on any network: the same key would sign for both. */
export async function isSharedAddress(db: Db, { address, accountId }: WalletRow): Promise<boolean> {
  return (await otherAt(db).execute({ address, accountId })).length > 0
}

/** Whether an address is that of a wallet on any network. */
export const hasWalletAt = async (db: Db, address: string): Promise<boolean> =>
  (await atAddress(db).execute({ address })).length > 0

/** The record as the API returns it. */
export const toWallet = ({ id, accountId, network, address, createdAt }: WalletRow): Static<typeof Wallet> => ({
  walletId: id,
  accountId,
  network,
  address,
  createdAt: createdAt.toISOString(),
})

const walletOf = byKey(wallets, 'accountId', { only: eq(wallets.network, param('network')) })
const walletsOf = rowsBy(wallets, 'accountId', 'id')
const walletByAddress = byKey(wallets, 'network', { only: eq(wallets.address, param('address')) })
const otherAt = byKey(wallets, 'address', { only: ne(wallets.accountId, param('accountId')) })
const atAddress = byKey(wallets, 'address')
const insertWallet = insertInto(wallets)
