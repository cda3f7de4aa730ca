import { param, params, prepared, type Store } from '@bursar/store'
import { and, eq } from 'drizzle-orm'
import { hasCategory } from '../categories/categories'
import { fail } from '../errors'
import { masked } from '../providers/credential-leaves'
import type { Credentials } from '../providers/credentials'
import { hasProvider } from '../providers/providers'
import type { CategoryProvider, CategoryProviderPath, NewCategoryProvider } from './category-providers.model'
import { categoryProviders } from './category-providers.table'

type Row = typeof categoryProviders.$inferSelect

/** Maps a provider to a category. Fails when either is missing, or the two are mapped already. */
export const mapCategory = (
  store: Store,
  credentials: Credentials,
  { categoryId, providerId, config }: NewCategoryProvider,
  now = new Date(),
): Promise<CategoryProvider> =>
  store.commit(async (tx) => {
    if (!(await hasCategory(tx, categoryId))) {
      throw fail('CATEGORY_MISSING')
    }
    if (!(await hasProvider(tx, providerId))) throw fail('MAPPED_PROVIDER_MISSING')
    const id = Bun.randomUUIDv7()
    const sealed = config ? credentials.seal(config, providerId) : null
    const row: Row = { id, categoryId, providerId, config: sealed, createdAt: now, updatedAt: now }
    const [stored] = await insertMapping(tx).execute(row)
    if (!stored) throw fail('MAPPING_EXISTS')
    return toCategoryProvider(row)
  })

/** Ends a mapping. Fails when there is none. */
export const unmapCategory = (store: Store, path: CategoryProviderPath): Promise<void> =>
  store.commit(async (tx) => {
    const [removed] = await deleteMapping(tx).execute(path)
    if (!removed) throw fail('MAPPING_MISSING')
  })

const toCategoryProvider = (row: Row): CategoryProvider => ({
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
