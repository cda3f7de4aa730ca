import { exampleIds } from '@bursar/contracts/examples'
import { about, jsonObject, nullable, type Static, smallJsonObject, t, timestamp, uuid } from '@bursar/contracts/schema'

const newConfig = t.Optional(nullable(smallJsonObject()))
const stored = { config: nullable(jsonObject()), createdAt: timestamp(), updatedAt: timestamp() }

/** POST /asset-providers */
export const NewAssetProvider = t.Object(
  { assetId: uuid(), providerId: uuid(), config: newConfig },
  {
    title: 'NewAssetProvider',
    examples: [{ assetId: exampleIds.quoteAsset, providerId: exampleIds.spareProvider, config: { timeout: 2000 } }],
  },
)
export type NewAssetProvider = Static<typeof NewAssetProvider>

/** POST /category-providers */
export const NewCategoryProvider = t.Object(
  { categoryId: uuid(), providerId: uuid(), config: newConfig },
  {
    title: 'NewCategoryProvider',
    examples: [{ categoryId: exampleIds.category, providerId: exampleIds.spareProvider }],
  },
)
export type NewCategoryProvider = Static<typeof NewCategoryProvider>

/** Spec 1, Asset-provider mapping. */
export const AssetProvider = t.Object({ assetId: uuid(), providerId: uuid(), ...stored }, { title: 'AssetProvider' })

/** Spec 1, Category-provider mapping. */
export const CategoryProvider = t.Object(
  { id: uuid(), categoryId: uuid(), providerId: uuid(), ...stored },
  { title: 'CategoryProvider' },
)

/** The path of one mapping. */
export const AssetProviderPath = t.Object({ assetId: uuid(), providerId: uuid() })
export type AssetProviderPath = Static<typeof AssetProviderPath>

/** The path of one mapping; `id` is the provider's. */
export const CategoryProviderPath = t.Object({ id: about('The id of the provider', uuid()), categoryId: uuid() })
export type CategoryProviderPath = Static<typeof CategoryProviderPath>
