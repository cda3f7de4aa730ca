import { comparableAddress } from '@bursar/contracts/address'
import { AssetChanged } from '@bursar/contracts/core-ledger'
import { networkName, networkNameRule } from '@bursar/contracts/network-name'
import {
  and,
  asc,
  byKey,
  caseless,
  type Db,
  emit,
  eq,
  insertInto,
  isNull,
  newId,
  param,
  prepared,
  rowBy,
  type Tx,
  updateBy,
} from '@bursar/store'
import type { Actor } from '../decisions/decisions'
import { recordPriceChange } from '../decisions/price-changes'
import { fail } from '../errors'
import { normalNetwork } from '../networks/networks'
import { recordTerms } from './asset-terms'
import type { Asset, AssetChanges, CreatedAsset, NewAsset } from './assets.model'
import { assets } from './assets.table'

export type AssetRow = typeof assets.$inferSelect

/** The contract of a native asset in the creation field set; null in the list field set. */
const native = 'native'

/**
 * Stores a new asset. 409 when its code is taken, or another asset is the same coin; 400 for an invalid network name.
 */
export async function createAsset(tx: Tx, input: NewAsset, now: Date): Promise<AssetRow> {
  const row: AssetRow = {
    id: newId(),
    code: input.code,
    name: input.name,
    network: requireName(input.network, 'network'),
    contractAddress: contractOf(input.address),
    decimals: input.decimalPlaces,
    metadata: {},
    iso20022CurrencyCode: input.iso20022CurrencyCode ?? null,
    iso20022BankTransactionDomainCode: input.iso20022BankTransactionDomainCode ?? null,
    used: false,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  if (await assetByCode(tx, row.code)) {
    throw fail('ASSET_CODE_TAKEN', { message: `An asset with code ${row.code} already exists` })
  }
  const twin = await twinOf(tx, row)
  if (twin) throw fail('ASSET_COIN_TAKEN', { message: twinMessage(twin) })
  await insertAsset(tx).execute(row)
  await noteChange(tx, row, now)
  return row
}

export const listAssets = (db: Db): Promise<AssetRow[]> => allAssets(db).execute()

/**
 * Changes the given fields. 404; 400 for another asset's code or coin, an invalid network name, and for decimals,
 * network or contract of an asset in use.
 */
export async function changeAsset(
  tx: Tx,
  id: string,
  changes: AssetChanges,
  { actor = null, now }: { actor?: Actor | null; now: Date },
): Promise<AssetRow> {
  const before = await getAsset(tx, id)
  const { blockchain, contractAddress, ...fields } = changes
  const row: AssetRow = { ...before, ...fields, updatedAt: now }
  if (blockchain !== undefined) row.network = requireName(blockchain, 'blockchain')
  if (contractAddress !== undefined) row.contractAddress = contractOf(contractAddress)
  if (before.used && row.decimals !== before.decimals) throw fail('ASSET_DECIMALS_FIXED')
  // The network is part of a deposit's identity: with another name it could be recorded again.
  if (before.used && row.network !== before.network) throw fail('ASSET_NETWORK_FIXED')
  // Approved transactions are sent through it: another contract would send another asset.
  if (before.used && row.contractAddress !== before.contractAddress) throw fail('ASSET_CONTRACT_FIXED')
  const other = await assetByCode(tx, row.code)
  if (other && other.id !== before.id) {
    throw fail('ASSET_CODE_CONFLICT', { message: `Another asset has the code ${row.code}` })
  }
  // Duplicate coins of older ledgers stay valid, and may be renamed.
  const isMoved = row.network !== before.network || row.contractAddress !== before.contractAddress
  const twin = isMoved ? await twinOf(tx, row) : undefined
  if (twin) throw fail('ASSET_COIN_CONFLICT', { message: twinMessage(twin) })
  await updateAsset(tx).execute(row)
  await notePricing(tx, before, row, actor, now)
  // Tells consumers to drop the coin that it was before.
  if (isMoved) await emitChanged(tx, { ...before, deletedAt: now }, now)
  await noteChange(tx, row, now)
  return row
}

/**
 * Changes of code, decimals or network change the value in USD: whoever made them must not approve transactions of the
 * asset.
 */
async function notePricing(tx: Tx, before: AssetRow, row: AssetRow, actor: Actor | null, at: Date): Promise<void> {
  const isAlike = (['code', 'decimals', 'network', 'contractAddress'] as const).every(
    (field) => row[field] === before[field],
  )
  if (isAlike || actor?.kind !== 'user') return
  for (const code of new Set([before.code, row.code])) await recordPriceChange(tx, actor.id, code, at)
}

/** Marks an asset deleted. 404; 400 once it has had a transaction, and so balances and references. */
export async function deleteAsset(tx: Tx, id: string, now: Date): Promise<void> {
  const row = await getAsset(tx, id)
  if (row.used) {
    throw fail('ASSET_IN_USE', {
      message: `Asset ${row.code} cannot be deleted: it has balances or transactions`,
    })
  }
  const deleted = { ...row, deletedAt: now }
  await updateAsset(tx).execute(deleted)
  await noteChange(tx, deleted, now)
}

/** The asset with this case-insensitive code; undefined for none. */
export const assetByCode = async (connection: Db, code: string): Promise<AssetRow | undefined> =>
  (await liveByCode(connection).execute({ code }))[0]

/**
 * The assets that stand for a coin of the network: by contract address in any spelling, or null for the native coin.
 */
export async function assetsOfCoin(db: Db, network: string, contractAddress: string | null): Promise<AssetRow[]> {
  const onNetwork = await liveOnNetwork(db).execute({ network: normalNetwork(network) })
  return onNetwork.filter((asset) => comparableContract(asset.contractAddress) === comparableContract(contractAddress))
}

/** The ledger's asset for a coin of a chain, or why there is none. */
export async function assetOfCoin(
  db: Db,
  { network, contractAddress, decimals }: Pick<AssetRow, 'network' | 'contractAddress' | 'decimals'>,
): Promise<AssetRow | string> {
  const [asset, another] = await assetsOfCoin(db, network, contractAddress)
  if (!asset) return 'No asset has this network and contract'
  if (another) return `Several assets have this network and contract, ${asset.code} and ${another.code} among them`
  if (asset.decimals !== decimals) return `${asset.code} has ${asset.decimals} decimals here, ${decimals} on its chain`
  return asset
}

/** A coin's contract in the form in which contracts are compared; null for the native coin. */
export const comparableContract = (contract: string | null): string | null =>
  contract === null ? null : comparableAddress(contract)

const twinOf = async (tx: Tx, { id, network, contractAddress }: AssetRow): Promise<AssetRow | undefined> =>
  (await assetsOfCoin(tx, network, contractAddress)).find((asset) => asset.id !== id)

const twinMessage = ({ code, network, contractAddress }: AssetRow) =>
  `Asset ${code} is ${contractAddress === null ? 'the native coin' : `contract ${contractAddress}`} of ${network} already`

function requireName(given: string, field: string): string {
  const name = networkName(given)
  if (name === null) throw fail('NETWORK_INVALID', { message: `${field} must be ${networkNameRule}` })
  return name
}

/** The terms of a stored asset, for the seals and for other services. */
async function noteChange(tx: Tx, row: AssetRow, now: Date): Promise<void> {
  await recordTerms(tx, row, now)
  await emitChanged(tx, row, now)
}

const emitChanged = (tx: Tx, { code, network, contractAddress, decimals, deletedAt }: AssetRow, at: Date) =>
  emit(tx, AssetChanged, { v: 1, code, network, contractAddress, decimals, isDeleted: deletedAt !== null }, at)

/** One asset; 404 when it does not exist. */
export async function getAsset(connection: Db, id: string): Promise<AssetRow> {
  const row = await liveById(connection, id.toLowerCase())
  if (!row) throw fail('ASSET_NOT_FOUND', { message: `Asset ${id} not found` })
  return row
}

const contractOf = (address: string | null): string | null =>
  address === null || address.toLowerCase() === native ? null : address

export const toCreatedAsset = (row: AssetRow): CreatedAsset => ({
  id: row.id,
  code: row.code,
  name: row.name,
  decimalPlaces: row.decimals,
  address: row.contractAddress ?? native,
  network: row.network,
  iso20022CurrencyCode: row.iso20022CurrencyCode,
  iso20022BankTransactionDomainCode: row.iso20022BankTransactionDomainCode,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

export const toAsset = (row: AssetRow): Asset => ({
  id: row.id,
  name: row.name,
  code: row.code,
  blockchain: row.network,
  contractAddress: row.contractAddress,
  decimals: row.decimals,
  metadata: row.metadata,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const isLive = isNull(assets.deletedAt)
const allAssets = prepared((db) => db.select().from(assets).where(isLive).orderBy(asc(assets.id)))
const liveById = rowBy(assets, 'id', isLive)
const liveByCode = prepared((db) =>
  db
    .select()
    .from(assets)
    .where(and(eq(caseless(assets.code), caseless(param('code'))), isLive)),
)
const liveOnNetwork = byKey(assets, 'network', { only: isLive })
const insertAsset = insertInto(assets)
const updateAsset = updateBy(assets, 'id')
