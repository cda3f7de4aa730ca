import { eq, param, prepared, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { assetProviders } from '../tables/asset-providers.table'
import { categoryProviders } from '../tables/category-providers.table'
import { hasCredentials, valueAt } from './credential-leaves'
import { addressNames } from './credentials'

type Config = Record<string, unknown>

/**
 * Refuses (400) another address of a provider, by its config or (`hasMoved`) its slug, while that would be sent the
 * credentials of a mapping's own config. Mappings are not changed, so they are to be deleted first.
 */
export async function refuseMovedMappings(
  tx: Tx,
  { id, from, to, hasMoved }: { id: string; from: Config; to: Config; hasMoved: boolean },
): Promise<void> {
  const changed = addressNames.filter((name) => valueAt(from, [name]) !== valueAt(to, [name]))
  if (!hasMoved && changed.length === 0) return
  const isSentElsewhere = ({ config }: { config: Config | null }) =>
    config !== null && hasCredentials(config) && (hasMoved || changed.some((name) => !Object.hasOwn(config, name)))
  const mappings = [...(await ofAssets(tx).execute({ id })), ...(await ofCategories(tx).execute({ id }))]
  if (!mappings.some(isSentElsewhere)) return
  const message = `A mapping of the provider has credentials of its own, which stay with its address: delete the mapping before you change ${hasMoved ? 'slug' : addressNames.join(' or ')}`
  throw fail('CONFIG_INVALID', { message })
}

const ofAssets = prepared((db) =>
  db
    .select({ config: assetProviders.config })
    .from(assetProviders)
    .where(eq(assetProviders.providerId, param('id'))),
)
const ofCategories = prepared((db) =>
  db
    .select({ config: categoryProviders.config })
    .from(categoryProviders)
    .where(eq(categoryProviders.providerId, param('id'))),
)
