import { SealBrokenError } from '@bursar/http'
import { and, type Db, eq, isNull, param, prepared } from '@bursar/store'
import { badCredential, type ProviderFailure } from '../providers/adapters/provider-failure'
import type { AskedProvider } from '../providers/adapters/query-provider'
import type { Credentials } from '../providers/credentials'
import { assetProviders } from '../tables/asset-providers.table'
import { categoryProviders } from '../tables/category-providers.table'
import { providers } from '../tables/providers.table'

interface Selected {
  id: string
  slug: string
  config: Config
  /** The mapping's config; absent for default providers. */
  override?: Config | null
}

type Config = Record<string, unknown>
type AssetRef = { id: string; categoryId: string | null } | null

/**
 * Selects the providers to query for a price (spec 1, rate calculation 4): the providers mapped to the asset, if any;
 * else those of its category; else the default ones. A mapping's config overrides its provider's, field by field. In
 * the order of `config.priority`, those without one last; credentials are decrypted.
 */
export async function selectProviders(read: Db, asset: AssetRef, credentials: Credentials): Promise<AskedProvider[]> {
  const selected = await firstLevel(read, asset)
  return selected
    .map((provider) => ({ slug: provider.slug, config: openedConfig(provider, credentials) }))
    .sort((a, b) => priorityOf(a.config) - priorityOf(b.config) || (a.slug < b.slug ? -1 : 1))
}

async function firstLevel(read: Db, asset: AssetRef): Promise<Selected[]> {
  const ofAsset = asset ? await providersOfAsset(read).execute({ id: asset.id }) : []
  if (ofAsset.length > 0) return ofAsset
  const ofCategory = asset?.categoryId ? await providersOfCategory(read).execute({ id: asset.categoryId }) : []
  return ofCategory.length > 0 ? ofCategory : await defaultProviders(read).execute()
}

/** A config that cannot be decrypted fails its provider only. */
function openedConfig({ id, config, override }: Selected, credentials: Credentials): Config | ProviderFailure {
  try {
    const own = credentials.open(config, id)
    return override ? merged(own, credentials.open(override, id)) : own
  } catch (error) {
    if (error instanceof SealBrokenError) return badCredential('its stored credentials cannot be decrypted')
    throw error
  }
}

const secrets = ['apiKey', 'credential', 'headers']

/** A mapping with its own address gets no credentials of the provider: another server must not receive them. */
function merged(own: Config, override: Config): Config {
  const hasOwnAddress = 'url' in override || 'baseUrl' in override
  const kept = Object.entries(own).filter(([name]) => !(hasOwnAddress && secrets.includes(name)))
  return { ...Object.fromEntries(kept), ...override }
}

const priorityOf = (config: Config | ProviderFailure): number =>
  'priority' in config && typeof config.priority === 'number' ? config.priority : Number.MAX_VALUE

const columns = { id: providers.id, slug: providers.slug, config: providers.config }

const providersOfAsset = prepared((db) =>
  db
    .select({ ...columns, override: assetProviders.config })
    .from(assetProviders)
    .innerJoin(providers, eq(providers.id, assetProviders.providerId))
    .where(and(eq(assetProviders.assetId, param('id')), isNull(providers.deletedAt))),
)
const providersOfCategory = prepared((db) =>
  db
    .select({ ...columns, override: categoryProviders.config })
    .from(categoryProviders)
    .innerJoin(providers, eq(providers.id, categoryProviders.providerId))
    .where(and(eq(categoryProviders.categoryId, param('id')), isNull(providers.deletedAt))),
)
const defaultProviders = prepared((db) =>
  db
    .select(columns)
    .from(providers)
    .where(and(eq(providers.isDefault, true), isNull(providers.deletedAt))),
)
