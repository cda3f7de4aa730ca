import {
  type Db,
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
import { announcePricing } from '../pricing/announce-pricing'
import type { Author } from '../pricing/author'
import { assetProviders } from '../tables/asset-providers.table'
import { categoryProviders } from '../tables/category-providers.table'
import { providers } from '../tables/providers.table'
import { vendorOf } from './adapters/query-provider'
import { hasCredentials, masked, valueAt } from './credential-leaves'
import { addressNames, type Credentials } from './credentials'
import type { NewProvider, Provider, ProviderChanges } from './providers.model'

export type ProviderRow = typeof providers.$inferSelect

/** Stores a new provider, its credentials encrypted. Fails when its slug is taken. */
export async function createProvider(
  tx: Tx,
  credentials: Credentials,
  input: NewProvider,
  by: Author,
): Promise<ProviderRow> {
  const id = newId()
  const row: ProviderRow = {
    id,
    name: input.name,
    searchName: folded(input.name),
    slug: input.slug,
    isDefault: input.isDefault ?? false,
    config: credentials.seal(input.config ?? {}, id),
    createdAt: by.now,
    updatedAt: by.now,
    deletedAt: null,
  }
  await refuseTakenSlug(tx, row)
  await insertProvider(tx).execute(row)
  await bump(tx, 'providers', 1)
  // Without mappings it is queried only if it is a default provider.
  if (row.isDefault) await announceProvider(tx, by)
  return row
}

/**
 * Changes the given fields. A credential whose mask is sent back keeps its value. Fails when the provider does not
 * exist, another one has the slug, or a kept credential, of its own or of a mapping, would go to another address.
 */
export async function changeProvider(
  tx: Tx,
  credentials: Credentials,
  id: string,
  changes: ProviderChanges,
  by: Author,
): Promise<ProviderRow> {
  const before = await getProvider(tx, id)
  const hasMoved = vendorOf(before.slug) !== vendorOf(changes.slug ?? before.slug)
  // Without a config it is as if all masks were sent back.
  const given = changes.config ?? (hasMoved ? masked(before.config) : undefined)
  const config = given ? credentials.seal(given, id, before.config, hasMoved) : before.config
  await refuseMovedMappings(tx, { id, from: before.config, to: config, hasMoved })
  const row: ProviderRow = { ...before, ...changes, config, updatedAt: by.now }
  row.searchName = folded(row.name)
  await refuseTakenSlug(tx, row)
  await updateProvider(tx).execute(row)
  if (isAskedOtherwise(before, row)) await announceProvider(tx, by)
  return row
}

/** Marks a provider deleted. Fails while assets or categories are mapped to it. */
export async function deleteProvider(tx: Tx, id: string, by: Author): Promise<void> {
  const row = await getProvider(tx, id)
  const [mapping] = await mappingsOf(tx).execute({ id, limit: 1 })
  if (mapping) throw fail('PROVIDER_HAS_MAPPINGS')
  await updateProvider(tx).execute({ ...row, deletedAt: by.now })
  await bump(tx, 'providers', -1)
  if (row.isDefault) await announceProvider(tx, by)
}

/** Whether its answers may differ now. Encryption differs each time, so a resent credential counts as changed. */
const isAskedOtherwise = (before: ProviderRow, after: ProviderRow): boolean =>
  before.slug !== after.slug || before.isDefault !== after.isDefault || !Bun.deepEquals(before.config, after.config)

const announceProvider = (tx: Tx, by: Author): Promise<void> =>
  announcePricing(tx, { assetCode: null, what: 'provider' }, by)

/** The provider; undefined when it does not exist, or is deleted. */
export const findProvider = rowBy(providers, 'id', isNull(providers.deletedAt))

/** The provider as the API returns it (spec 1, Provider), its credentials masked. */
export const toProvider = (row: ProviderRow): Provider => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  isDefault: row.isDefault,
  config: masked(row.config),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** The columns of a provider inside a mapping. */
export const mappedProvider = {
  id: providers.id,
  name: providers.name,
  slug: providers.slug,
  isDefault: providers.isDefault,
}

/** The provider; fails when it does not exist, or is deleted. */
export async function getProvider(db: Db, id: string): Promise<ProviderRow> {
  const row = await findProvider(db, id)
  if (!row) throw fail('PROVIDER_NOT_FOUND')
  return row
}

async function refuseTakenSlug(tx: Tx, { id, slug }: ProviderRow): Promise<void> {
  const other = await providerBySlug(tx, slug)
  if (other && other.id !== id) {
    throw fail('PROVIDER_SLUG_TAKEN', { message: `A provider with slug ${slug} already exists` })
  }
}

const providerBySlug = rowBy(providers, 'slug', isNull(providers.deletedAt))
const insertProvider = insertInto(providers)
const updateProvider = updateBy(providers, 'id')
/** The configs of a provider's mappings. */
const mappingsOf = prepared((db) =>
  db
    .select({ config: assetProviders.config })
    .from(assetProviders)
    .where(eq(assetProviders.providerId, param('id')))
    .unionAll(
      db
        .select({ config: categoryProviders.config })
        .from(categoryProviders)
        .where(eq(categoryProviders.providerId, param('id'))),
    )
    .limit(param('limit')),
)

type Config = Record<string, unknown>

/**
 * Refuses (400) another address of a provider, by its config or (`hasMoved`) its slug, while that would be sent the
 * credentials of a mapping's own config. Mappings are not changed, so they are to be deleted first.
 */
async function refuseMovedMappings(
  tx: Tx,
  { id, from, to, hasMoved }: { id: string; from: Config; to: Config; hasMoved: boolean },
): Promise<void> {
  const changed = addressNames.filter((name) => valueAt(from, [name]) !== valueAt(to, [name]))
  if (!hasMoved && changed.length === 0) return
  const isSentElsewhere = ({ config }: { config: Config | null }) =>
    config !== null && hasCredentials(config) && (hasMoved || changed.some((name) => !Object.hasOwn(config, name)))
  const mappings = await mappingsOf(tx).execute({ id, limit: Number.MAX_SAFE_INTEGER })
  if (!mappings.some(isSentElsewhere)) return
  const message = `A mapping of the provider has credentials of its own, which stay with its address: delete the mapping before you change ${hasMoved ? 'slug' : addressNames.join(' or ')}`
  throw fail('CONFIG_INVALID', { message })
}
