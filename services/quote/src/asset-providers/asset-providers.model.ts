import { exampleIds } from '@bursar/contracts/examples'
import { jsonObject, nullable, type Static, smallJsonObject, t, timestamp, uuid } from '@bursar/contracts/schema'

/** POST /asset-providers */
export const NewAssetProvider = t.Object(
  {
    assetId: uuid(),
    providerId: uuid(),
    config: t.Optional(nullable(smallJsonObject())),
  },
  {
    title: 'NewAssetProvider',
    examples: [{ assetId: exampleIds.quoteAsset, providerId: exampleIds.spareProvider, config: { timeout: 2000 } }],
  },
)
export type NewAssetProvider = Static<typeof NewAssetProvider>

/** Spec 1, Asset-provider mapping. */
export const AssetProvider = t.Object(
  {
    assetId: uuid(),
    providerId: uuid(),
    config: nullable(jsonObject()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'AssetProvider' },
)
export type AssetProvider = Static<typeof AssetProvider>

/** The path of one mapping. */
export const AssetProviderPath = t.Object({ assetId: uuid(), providerId: uuid() })
export type AssetProviderPath = Static<typeof AssetProviderPath>
