import {
  and,
  type Db,
  deleteBy,
  eq,
  folded,
  insertInto,
  isNull,
  newId,
  param,
  prepared,
  rowBy,
  type Tx,
  updateBy,
} from '@bursar/store'
import { bump } from '../counters/counters'
import { fail } from '../errors'
import { assets } from '../tables/assets.table'
import { categories } from '../tables/categories.table'
import { categoryProviders } from '../tables/category-providers.table'
import type { Category, CategoryChanges, NewCategory } from './categories.model'

export type CategoryRow = typeof categories.$inferSelect

/** Stores a new category. Fails when its name is taken. */
export async function createCategory(tx: Tx, input: NewCategory, now: Date): Promise<CategoryRow> {
  const row: CategoryRow = {
    id: newId(),
    name: input.name,
    searchName: folded(input.name),
    description: input.description ?? null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  await refuseTakenName(tx, row)
  await insertCategory(tx).execute(row)
  await bump(tx, 'categories', 1)
  return row
}

/** Changes the given fields. Fails when the category does not exist, or another one has the name. */
export async function changeCategory(tx: Tx, id: string, changes: CategoryChanges, now: Date): Promise<CategoryRow> {
  const row: CategoryRow = { ...(await getCategory(tx, id)), ...changes, updatedAt: now }
  row.searchName = folded(row.name)
  await refuseTakenName(tx, row)
  await updateCategory(tx).execute(row)
  return row
}

/** Marks a category deleted and ends its mappings. Fails while it has assets. */
export async function deleteCategory(tx: Tx, id: string, now: Date): Promise<void> {
  const row = await getCategory(tx, id)
  const [asset] = await assetInCategory(tx).execute({ id })
  if (asset) throw fail('CATEGORY_HAS_ASSETS')
  await updateCategory(tx).execute({ ...row, deletedAt: now })
  await deleteMappings(tx).execute({ categoryId: id })
  await bump(tx, 'categories', -1)
}

/** The category; undefined when it does not exist, or is deleted. */
export const findCategory = rowBy(categories, 'id', isNull(categories.deletedAt))

/** The category as the API returns it (spec 1, Category). */
export const toCategory = ({ searchName, deletedAt, createdAt, updatedAt, ...row }: CategoryRow): Category => ({
  ...row,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

/** The category; fails when it does not exist, or is deleted. */
export async function getCategory(db: Db, id: string): Promise<CategoryRow> {
  const row = await findCategory(db, id)
  if (!row) throw fail('CATEGORY_MISSING')
  return row
}

async function refuseTakenName(tx: Tx, { id, name }: CategoryRow): Promise<void> {
  const other = await categoryByName(tx, name)
  if (other && other.id !== id) {
    throw fail('CATEGORY_NAME_TAKEN', { message: `A category with name ${name} already exists` })
  }
}

const categoryByName = rowBy(categories, 'name', isNull(categories.deletedAt))
const insertCategory = insertInto(categories)
const updateCategory = updateBy(categories, 'id')
const deleteMappings = deleteBy(categoryProviders, 'categoryId')
const assetInCategory = prepared((db) =>
  db
    .select({ id: assets.id })
    .from(assets)
    .where(and(eq(assets.categoryId, param('id')), isNull(assets.deletedAt)))
    .limit(1),
)
