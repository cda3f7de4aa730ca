import { jsonObject, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { configObject } from '../fields/fields'

/** POST /asset-providers */
export const NewAssetProvider = t.Object(
  {
    assetId: uuid(),
    providerId: uuid(),
    config: t.Optional(nullable(configObject())),
  },
  { title: 'NewAssetProvider' },
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
export const AssetProviderPath = t.Object({ assetId: uuid(), providerId: uuid() }, { title: 'AssetProviderPath' })
export type AssetProviderPath = Static<typeof AssetProviderPath>
