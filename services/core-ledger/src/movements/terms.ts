import { AppError } from '@bursar/http'
import { and, eq, inArray, isNull, param, queryAmong, type Tx, updateBy } from '@bursar/store'
import { inactivityOf, standingColumns } from '../accounts/accounts'
import { accounts, customerOwners, customers } from '../accounts/accounts.table'
import { holdsOwner } from '../accounts/institutions'
import { heldInstitutions } from '../accounts/institutions.table'
import { accountNotFound, customerNotFound } from '../accounts/require-account'
import { assets } from '../assets/assets.table'
import { fail } from '../errors'
import { balances } from '../ledger/balances.table'
import { type Holding, placeOf } from '../ledger/post'
import { normalNetwork } from '../networks/networks'

/** The facts that decide about a new transaction, read in its commit. */
export interface Terms {
  accountId: string
  /** STABLECOINS, PORTFOLIO, OMNIBUS or FEE_PAYER. */
  accountType: string
  /** Empty for accounts that belong to no customer. */
  customerId: string
  /** The account's participant: its customer's, or its own; null if it has none, as far as is known here. */
  participantId: string | null
  /** Why it may not pay out; null when it may. */
  inactive: string | null
  asset: {
    id: string
    name: string
    code: string
    decimals: number
    network: string
    contractAddress: string | null
    used: boolean
  }
  holding: Holding
}

interface Named {
  accountId: string
  assetId: string
}

/**
 * Reads the account, its customer, the asset and the account's balance in one statement. 404 if one of the first three
 * is missing.
 */
export async function readTerms(tx: Tx, accountId: string, assetId: string): Promise<Terms> {
  const [terms] = await termsOfAll(tx, [{ accountId, assetId }])
  if (terms === undefined || terms instanceof AppError) throw terms
  return terms
}

/** The same for several, with one statement per asset. Gives the 404 of those with a missing part. */
export async function termsOfAll(tx: Tx, all: readonly Named[]): Promise<(Terms | AppError)[]> {
  const rows = new Map<string, Row>()
  for (const [assetId, some] of Map.groupBy(all, (one) => one.assetId.toLowerCase())) {
    const ids = new Set(some.map((one) => one.accountId.toLowerCase()))
    const found = await termsByAccount(tx, [...ids], { assetId })
    for (const row of found) rows.set(placeOf(row.id, assetId), row)
  }
  return all.map((named) => toTerms(named, rows))
}

function toTerms(named: Named, rows: ReadonlyMap<string, Row>): Terms | AppError {
  const accountId = named.accountId.toLowerCase()
  const assetId = named.assetId.toLowerCase()
  const row = rows.get(placeOf(accountId, assetId))
  if (!row) return accountNotFound(accountId)
  if (row.customerId !== null && row.customerStatus === null) return customerNotFound(row.customerId)
  const { name, code, decimals, network, used } = row
  if (name === null || code === null || decimals === null || network === null || used === null) {
    return fail('ASSET_NOT_FOUND', { message: `Asset ${named.assetId} not found` })
  }
  return {
    accountId,
    accountType: row.type,
    customerId: row.customerId ?? '',
    participantId: row.participantId ?? row.ownerId,
    inactive: inactivityOf(row),
    asset: { id: assetId, name, code, decimals, network, contractAddress: row.contractAddress, used },
    holding: { available: row.available ?? 0n, frozen: row.frozen ?? 0n },
  }
}

/** Fails when the account, its customer or its institution is not active (decisions, Accounts and customers). */
export function requireActive({ inactive }: Terms): void {
  if (inactive !== null) throw fail('ACCOUNT_NOT_ACTIVE', { message: inactive })
}

/** Fails when the named network is not the asset's: the same coin elsewhere is another asset (spec 2, Resources). */
export function requireNetwork({ asset }: Terms, network: string): void {
  if (normalNetwork(network) === normalNetwork(asset.network)) return
  throw fail('NETWORK_MISMATCH', { message: `network must be ${asset.network}, where ${asset.code} is` })
}

/**
 * Marks an asset as used by its first transaction: it cannot be deleted from then on, and its decimals and network are
 * fixed.
 */
export async function useAsset(tx: Tx, { asset }: { asset: Pick<Terms['asset'], 'id' | 'used'> }): Promise<void> {
  if (!asset.used) await markUsed(tx).execute({ id: asset.id, used: true })
}

type Row = Awaited<ReturnType<typeof termsByAccount>>[number]

const termsByAccount = queryAmong(
  (accountIds) => (db) =>
    db
      .select({
        ...standingColumns,
        participantId: accounts.participantId,
        ownerId: customerOwners.participantId,
        name: assets.name,
        code: assets.code,
        decimals: assets.decimals,
        network: assets.network,
        contractAddress: assets.contractAddress,
        used: assets.used,
        available: balances.available,
        frozen: balances.frozen,
      })
      .from(accounts)
      .leftJoin(customers, eq(customers.id, accounts.customerId))
      .leftJoin(customerOwners, eq(customerOwners.id, accounts.customerId))
      .leftJoin(heldInstitutions, holdsOwner)
      .leftJoin(assets, and(eq(assets.id, param('assetId')), isNull(assets.deletedAt)))
      .leftJoin(balances, and(eq(balances.accountId, accounts.id), eq(balances.assetId, param('assetId'))))
      .where(inArray(accounts.id, accountIds)),
)
const markUsed = updateBy(assets, 'id', ['used'])
