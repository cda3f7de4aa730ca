import { and, asc, type Db, eq, isNull, param, params, prepared, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { normalNetwork } from '../networks/networks'
import type { Asset, AssetChanges, CreatedAsset, NewAsset } from './assets.model'
import { assets } from './assets.table'

export type AssetRow = typeof assets.$inferSelect

/** Stands for a missing contract in the creation field set; null in the list field set. */
const native = 'native'

/** Stores a new asset; 409 when its code is taken. */
export async function createAsset(tx: Tx, input: NewAsset, now = new Date()): Promise<AssetRow> {
  const row: AssetRow = {
    id: Bun.randomUUIDv7(),
    code: input.code,
    name: input.name,
    network: normalNetwork(input.network),
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
  await insertAsset(tx).execute(row)
  return row
}

/** All assets, in the order of their creation. */
export const listAssets = (db: Db): Promise<AssetRow[]> => allAssets(db).execute()

/** Changes the fields that are given. 404; 400 for another's code, and for decimals, network or contract of an asset in use. */
export async function changeAsset(tx: Tx, id: string, changes: AssetChanges, now = new Date()): Promise<AssetRow> {
  const before = await getAsset(tx, id)
  const { blockchain, contractAddress, ...fields } = changes
  const row: AssetRow = { ...before, ...fields, updatedAt: now }
  if (blockchain !== undefined) row.network = normalNetwork(blockchain)
  if (contractAddress !== undefined) row.contractAddress = contractOf(contractAddress)
  if (before.used && row.decimals !== before.decimals) throw fail('ASSET_DECIMALS_FIXED')
  // A deposit is identified by its network, among other things: under another name it could be recorded again.
  if (before.used && row.network !== before.network) throw fail('ASSET_NETWORK_FIXED')
  // What was approved goes out by it: under another contract it would be another asset.
  if (before.used && row.contractAddress !== before.contractAddress) throw fail('ASSET_CONTRACT_FIXED')
  const other = await assetByCode(tx, row.code)
  if (other && other.id !== before.id) {
    throw fail('ASSET_CODE_CONFLICT', { message: `Another asset has the code ${row.code}` })
  }
  await updateAsset(tx).execute(row)
  return row
}

/** Marks an asset deleted. 404; 400 once it has had a transaction, and so balances and references. */
export async function deleteAsset(tx: Tx, id: string, now = new Date()): Promise<void> {
  const row = await getAsset(tx, id)
  if (row.used) {
    throw fail('ASSET_IN_USE', {
      message: `Asset ${row.code} cannot be deleted: it has balances or transactions`,
    })
  }
  await updateAsset(tx).execute({ ...row, deletedAt: now })
}

/** The asset that has this code, whatever its case; undefined when none has. */
export async function assetByCode(connection: Db, code: string): Promise<AssetRow | undefined> {
  const [row] = await liveByCode(connection).execute({ code })
  return row
}

/** The assets of a network, however its name is written. */
export const assetsOnNetwork = (db: Db, network: string): Promise<AssetRow[]> =>
  liveOnNetwork(db).execute({ network: normalNetwork(network) })

/** One asset; 404 when it does not exist. */
export async function getAsset(connection: Db, id: string): Promise<AssetRow> {
  const [row] = await liveById(connection).execute({ id: id.toLowerCase() })
  if (!row) throw fail('ASSET_NOT_FOUND', { message: `Asset ${id} not found` })
  return row
}

const contractOf = (address: string | null): string | null =>
  address === null || address.toLowerCase() === native ? null : address

/** The creation field set. */
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

/** The list field set. */
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

const allAssets = prepared((db) => db.select().from(assets).where(isNull(assets.deletedAt)).orderBy(asc(assets.id)))
const liveById = prepared((db) =>
  db
    .select()
    .from(assets)
    .where(and(eq(assets.id, param('id')), isNull(assets.deletedAt))),
)
const liveByCode = prepared((db) =>
  db
    .select()
    .from(assets)
    .where(and(eq(assets.code, param('code')), isNull(assets.deletedAt))),
)
const liveOnNetwork = prepared((db) =>
  db
    .select()
    .from(assets)
    .where(and(eq(assets.network, param('network')), isNull(assets.deletedAt))),
)
const insertAsset = prepared((db) => db.insert(assets).values(params(assets)))
const updateAsset = prepared((db) =>
  db
    .update(assets)
    .set(params(assets) as Partial<typeof assets.$inferInsert>)
    .where(eq(assets.id, param('id'))),
)
