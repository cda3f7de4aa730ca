import { type Db, folded, param, params, prepared, type Store, type Tx } from '@bursar/store'
import { and, eq, isNull } from 'drizzle-orm'
import { assetProviders } from '../asset-providers/asset-providers.table'
import { categoryProviders } from '../category-providers/category-providers.table'
import { bump } from '../counters/counters'
import { fail } from '../errors'
import { masked } from './credential-leaves'
import type { Credentials } from './credentials'
import type { NewProvider, Provider, ProviderChanges } from './providers.model'
import { providers } from './providers.table'

type Row = typeof providers.$inferSelect

/** Stores a new provider, its credentials sealed. Fails when its slug is taken. */
export const createProvider = (
  store: Store,
  credentials: Credentials,
  input: NewProvider,
  now = new Date(),
): Promise<Provider> =>
  store.commit(async (tx) => {
    const id = Bun.randomUUIDv7()
    const row: Row = {
      id,
      name: input.name,
      searchName: folded(input.name),
      slug: input.slug,
      isDefault: input.isDefault ?? false,
      config: credentials.seal(input.config ?? {}, id),
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
    }
    await refuseTakenSlug(tx, row)
    await insertProvider(tx).execute(row)
    await bump(tx, 'providers', 1)
    return toProvider(row)
  })

/**
 * Changes the fields that are given. A credential whose mask is sent back keeps its value. Fails when there is no such
 * provider, or the slug is another's.
 */
export const changeProvider = (
  store: Store,
  credentials: Credentials,
  id: string,
  changes: ProviderChanges,
  now = new Date(),
): Promise<Provider> =>
  store.commit(async (tx) => {
    const before = await liveProvider(tx, id)
    const config = changes.config ? credentials.seal(changes.config, id, before.config) : before.config
    const row: Row = { ...before, ...changes, config, updatedAt: now }
    row.searchName = folded(row.name)
    await refuseTakenSlug(tx, row)
    await updateProvider(tx).execute(row)
    return toProvider(row)
  })

/** Marks a provider deleted. Fails while assets or categories are mapped to it. */
export const deleteProvider = (store: Store, id: string, now = new Date()): Promise<void> =>
  store.commit(async (tx) => {
    const row = await liveProvider(tx, id)
    const [ofAsset] = await assetMapping(tx).execute({ id })
    const [ofCategory] = await categoryMapping(tx).execute({ id })
    if (ofAsset || ofCategory) throw fail('PROVIDER_HAS_MAPPINGS')
    await updateProvider(tx).execute({ ...row, deletedAt: now })
    await bump(tx, 'providers', -1)
  })

/** True when there is a provider that is not deleted. */
export async function hasProvider(read: Db, id: string): Promise<boolean> {
  const rows = await providerById(read).execute({ id })
  return rows.length > 0
}

/** The record as it goes out, its credentials masked. */
export const toProvider = (row: Omit<Row, 'searchName' | 'deletedAt'>): Provider => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  isDefault: row.isDefault,
  config: masked(row.config),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

async function liveProvider(tx: Tx, id: string): Promise<Row> {
  const [row] = await providerById(tx).execute({ id })
  if (!row) throw fail('PROVIDER_NOT_FOUND')
  return row
}

async function refuseTakenSlug(tx: Tx, { id, slug }: Row): Promise<void> {
  const [other] = await idBySlug(tx).execute({ slug })
  if (other && other.id !== id) {
    throw fail('PROVIDER_SLUG_TAKEN', { message: `A provider with slug ${slug} already exists` })
  }
}

const providerById = prepared((db) =>
  db
    .select()
    .from(providers)
    .where(and(eq(providers.id, param('id')), isNull(providers.deletedAt))),
)
const idBySlug = prepared((db) =>
  db
    .select({ id: providers.id })
    .from(providers)
    .where(and(eq(providers.slug, param('slug')), isNull(providers.deletedAt))),
)
const insertProvider = prepared((db) => db.insert(providers).values(params(providers)))
const updateProvider = prepared((db) =>
  db
    .update(providers)
    .set(params(providers) as Partial<typeof providers.$inferInsert>)
    .where(eq(providers.id, param('id'))),
)
const assetMapping = prepared((db) =>
  db
    .select({ id: assetProviders.providerId })
    .from(assetProviders)
    .where(eq(assetProviders.providerId, param('id')))
    .limit(1),
)
const categoryMapping = prepared((db) =>
  db
    .select({ id: categoryProviders.providerId })
    .from(categoryProviders)
    .where(eq(categoryProviders.providerId, param('id')))
    .limit(1),
)
