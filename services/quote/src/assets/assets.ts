import { comparableCode } from '@bursar/contracts/asset-code'
import {
  and,
  caseless,
  deleteBy,
  eq,
  folded,
  insertInto,
  insertMissing,
  isNull,
  newId,
  param,
  prepared,
  rowBy,
  type Tx,
  updateBy,
} from '@bursar/store'
import { findCategory } from '../categories/categories'
import { bump } from '../counters/counters'
import { fail } from '../errors'
import { announcePricing } from '../pricing/announce-pricing'
import type { Author } from '../pricing/author'
import { assetProviders } from '../tables/asset-providers.table'
import { assets } from '../tables/assets.table'
import { endedValues } from '../tables/ended-values.table'
import { rates } from '../tables/rates.table'
import type { Asset, AssetChanges, NewAsset } from './assets.model'

export type AssetRow = typeof assets.$inferSelect

/** Stores a new asset. Fails when its code is taken, its category is missing or its staticValue is not above 0. */
export async function createAsset(tx: Tx, input: NewAsset, by: Author): Promise<AssetRow> {
  const row: AssetRow = {
    id: newId(),
    name: input.name,
    searchName: folded(input.name),
    code: input.code,
    categoryId: input.categoryId ?? null,
    description: input.description ?? null,
    staticValue: input.staticValue ?? null,
    createdAt: by.now,
    updatedAt: by.now,
    deletedAt: null,
  }
  await checkValues(tx, row)
  if ((await insertAssets(tx, [row])) === 0) throw codeTaken(row.code)
  await bump(tx, 'assets', 1)
  await announceAsset(tx, null, row, by)
  return row
}

/** Changes the given fields. Fails as createAsset does, and when the asset does not exist. */
export async function changeAsset(tx: Tx, id: string, changes: AssetChanges, by: Author): Promise<AssetRow> {
  const before = await liveAsset(tx, id)
  const row: AssetRow = { ...before, ...changes, updatedAt: by.now }
  row.searchName = folded(row.name)
  await checkValues(tx, row, before.categoryId)
  const [other] = await assetByCode(tx).execute({ code: row.code })
  if (other && other.id !== id) throw codeTaken(row.code)
  await updateAsset(tx).execute(row)
  await keepEndedValue(tx, before, row)
  await announceAsset(tx, before, row, by)
  return row
}

/** Marks an asset deleted and ends its mappings. Fails when it has rates: those are history (decisions). */
export async function deleteAsset(tx: Tx, id: string, by: Author): Promise<void> {
  const before = await liveAsset(tx, id)
  const [rate] = await rateOfAsset(tx).execute({ id })
  if (rate) throw fail('ASSET_HAS_RATES')
  await updateAsset(tx).execute({ ...before, deletedAt: by.now })
  await deleteMappings(tx).execute({ assetId: id })
  await bump(tx, 'assets', -1)
  await keepEndedValue(tx, before, { ...before, staticValue: null, updatedAt: by.now })
  await announcePricing(tx, { assetCode: before.code, what: 'asset' }, by)
}

type Priced = Pick<AssetRow, 'code' | 'staticValue' | 'categoryId' | 'updatedAt'>

/** Stores the fixed value that an asset had under its code until now. */
async function keepEndedValue(tx: Tx, before: Priced, after: Priced): Promise<void> {
  const { code: assetCode, staticValue: value } = before
  if (value === null || (value === after.staticValue && isSameCode(before, after))) return
  await insertEndedValue(tx).execute({ id: newId(), assetCode, value, endedAt: after.updatedAt })
}

/** Publishes that the basis of a code's price has changed, if it has. A renamed asset concerns both codes. */
async function announceAsset(tx: Tx, before: Priced | null, after: Priced, by: Author): Promise<void> {
  const isRenamed = before !== null && !isSameCode(before, after)
  const isSame =
    after.staticValue === (before?.staticValue ?? null) && after.categoryId === (before?.categoryId ?? null)
  if (isSame && !isRenamed) return
  for (const { code: assetCode } of isRenamed ? [before, after] : [after]) {
    await announcePricing(tx, { assetCode, what: 'asset' }, by)
  }
}

const isSameCode = (a: Priced, b: Priced): boolean => comparableCode(a.code) === comparableCode(b.code)

/** The asset; undefined when it does not exist, or is deleted. */
export const findAsset = rowBy(assets, 'id', isNull(assets.deletedAt))

/** The asset with this code, that is not deleted, in a list of one; an empty list for none. */
export const assetByCode = prepared((db) =>
  db
    .select()
    .from(assets)
    .where(and(eq(caseless(assets.code), caseless(param('code'))), isNull(assets.deletedAt))),
)

/** The asset as the API returns it (spec 1, Asset). */
export const toAsset = ({ searchName, deletedAt, createdAt, updatedAt, ...row }: AssetRow): Asset => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

async function liveAsset(tx: Tx, id: string): Promise<AssetRow> {
  const row = await findAsset(tx, id)
  if (!row) throw fail('ASSET_NOT_FOUND')
  return row
}

/** The asset's present category is not looked up: a category with assets cannot be deleted. */
async function checkValues(tx: Tx, row: AssetRow, knownCategory: string | null = null): Promise<void> {
  if (row.staticValue !== null && row.staticValue <= 0) throw fail('STATIC_VALUE_NOT_POSITIVE')
  const { categoryId } = row
  if (categoryId !== null && categoryId !== knownCategory && !(await findCategory(tx, categoryId))) {
    throw fail('CATEGORY_NOT_FOUND')
  }
}

const codeTaken = (code: string) => fail('ASSET_CODE_TAKEN', { message: `An asset with code ${code} already exists` })

const insertEndedValue = insertInto(endedValues)
const insertAssets = insertMissing(assets)
const updateAsset = updateBy(assets, 'id')
const deleteMappings = deleteBy(assetProviders, 'assetId')
const rateOfAsset = prepared((db) =>
  db
    .select({ id: rates.id })
    .from(rates)
    .where(eq(rates.assetId, param('id')))
    .limit(1),
)
