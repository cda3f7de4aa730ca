import { comparableAddress } from '@bursar/contracts/address'
import { byKey, type Db, eq, insertInto, newId, param, type Tx } from '@bursar/store'
import { requireAccount } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import { invalid } from '../errors'
import { solanaProblem } from '../keys/addresses'
import { familyOf } from '../networks/families'
import { keepWallet, planWallet, type WalletRow } from '../wallets/wallets'
import { associatedAddress } from './associated-address'
import type { TokenAccount } from './token-accounts.model'
import { tokenAccounts } from './token-accounts.table'
import type { Token } from './tokens'

export type TokenAccountRow = typeof tokenAccounts.$inferSelect

interface Plan {
  wallet: WalletRow
  row: TokenAccountRow
}

/** The key by which the account of a token is found. */
const tokenKey = (tokenAddress: string | null): string =>
  tokenAddress === null ? 'native' : comparableAddress(tokenAddress)

/** Plans a token account, with all that `keepTokenAccount` needs; calls other services. 404 for unknown accounts. */
export async function planTokenAccount(
  deps: WalletDeps,
  accountId: string,
  token: Token,
  feePayerAccountId: string | null,
): Promise<Plan> {
  if (feePayerAccountId !== null) await requireFeePayer(deps, feePayerAccountId)
  const wallet = await planWallet(deps, accountId, token.network)
  const { tokenAddress, assetCode, network } = token
  const isOnSolana = familyOf(network) === 'solana' && tokenAddress !== null && solanaProblem(tokenAddress) === null
  const row: TokenAccountRow = {
    id: newId(),
    accountId: wallet.accountId,
    walletId: wallet.id,
    network,
    token: tokenKey(tokenAddress),
    tokenAddress,
    assetCode,
    address: isOnSolana ? await associatedAddress(wallet.address, tokenAddress) : wallet.address,
    feePayerAccountId,
    createdAt: deps.clock(),
  }
  return { wallet, row }
}

async function requireFeePayer(deps: WalletDeps, id: string): Promise<void> {
  const { type } = await requireAccount(deps, id, `Fee payer account ${id} not found`)
  if (type !== 'FEE_PAYER') throw invalid('feePayerAccountId', `must be an account of type FEE_PAYER, not ${type}`)
}

/**
 * Stores a planned token account with its wallet, or returns the existing one, with the asset code that the catalogue has
 * for its token now: it may have had none, or another one, when the account was made.
 */
export async function keepTokenAccount(tx: Tx, plan: Plan): Promise<{ row: TokenAccountRow; created: boolean }> {
  const wallet = await keepWallet(tx, plan.wallet)
  const row = { ...plan.row, walletId: wallet.id }
  const known = await findTokenAccount(tx, wallet.id, row.tokenAddress)
  if (known) return { row: { ...known, assetCode: row.assetCode }, created: false }
  await insertTokenAccount(tx).execute(row)
  return { row, created: true }
}

/** The token account of a wallet for a token; null is the network's native coin. */
export async function findTokenAccount(
  db: Db,
  walletId: string,
  tokenAddress: string | null,
): Promise<TokenAccountRow | undefined> {
  const [row] = await tokenAccountOf(db).execute({ walletId, token: tokenKey(tokenAddress) })
  return row
}

/** The record as the API returns it. */
export const toTokenAccount = ({ id, token: _, createdAt, ...fields }: TokenAccountRow): TokenAccount => ({
  tokenAccountId: id,
  ...fields,
  createdAt: createdAt.toISOString(),
})

const tokenAccountOf = byKey(tokenAccounts, 'walletId', { only: eq(tokenAccounts.token, param('token')) })
const insertTokenAccount = insertInto(tokenAccounts)
