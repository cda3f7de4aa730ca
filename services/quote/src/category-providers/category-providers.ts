import { and, eq, newId, param, params, prepared, type Tx } from '@bursar/store'
import { hasCategory } from '../categories/categories'
import { fail } from '../errors'
import { announcePricing } from '../pricing/announce-pricing'
import { masked } from '../providers/credential-leaves'
import type { Credentials } from '../providers/credentials'
import { hasProvider } from '../providers/providers'
import { categoryProviders } from '../tables/category-providers.table'
import type { CategoryProvider, CategoryProviderPath, NewCategoryProvider } from './category-providers.model'

export type CategoryProviderRow = typeof categoryProviders.$inferSelect

/** Maps a provider to a category. Fails when one of them does not exist, or the mapping already exists. */
export async function mapCategory(
  tx: Tx,
  credentials: Credentials,
  { categoryId, providerId, config }: NewCategoryProvider,
  userId: string | null,
  now: Date,
): Promise<CategoryProviderRow> {
  if (!(await hasCategory(tx, categoryId))) {
    throw fail('CATEGORY_MISSING')
  }
  if (!(await hasProvider(tx, providerId))) throw fail('MAPPED_PROVIDER_MISSING')
  const id = newId()
  const sealed = config ? credentials.seal(config, providerId) : null
  const row: CategoryProviderRow = { id, categoryId, providerId, config: sealed, createdAt: now, updatedAt: now }
  const [stored] = await insertMapping(tx).execute(row)
  if (!stored) throw fail('MAPPING_EXISTS')
  // It may concern every asset of the category.
  await announcePricing(tx, { assetCode: null, what: 'mapping', userId }, now)
  return row
}

/** Deletes a mapping. Fails when it does not exist. */
export async function unmapCategory(
  tx: Tx,
  path: CategoryProviderPath,
  userId: string | null,
  now: Date,
): Promise<void> {
  const [removed] = await deleteMapping(tx).execute(path)
  if (!removed) throw fail('MAPPING_MISSING')
  await announcePricing(tx, { assetCode: null, what: 'mapping', userId }, now)
}

/** The mapping as the API returns it, its credentials masked. */
export const toCategoryProvider = (row: CategoryProviderRow): CategoryProvider => ({
  id: row.id,
  categoryId: row.categoryId,
  providerId: row.providerId,
  config: row.config && masked(row.config),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const insertMapping = prepared((db) =>
  db
    .insert(categoryProviders)
    .values(params(categoryProviders))
    .onConflictDoNothing()
    .returning({ id: categoryProviders.id }),
)
const deleteMapping = prepared((db) =>
  db
    .delete(categoryProviders)
    .where(and(eq(categoryProviders.providerId, param('id')), eq(categoryProviders.categoryId, param('categoryId'))))
    .returning({ id: categoryProviders.id }),
)
