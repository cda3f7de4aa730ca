import { exampleIds } from '@bursar/contracts/examples'
import { byId, nonBlank, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { pageOf, pageQuery, queryUuid } from '@bursar/http'
import { longText, searchText } from '../fields/fields'
import { MappedCategory, MappedProvider } from '../providers/providers.model'

/** POST /assets */
export const NewAsset = t.Object(
  {
    name: nonBlank(),
    code: nonBlank(),
    categoryId: t.Optional(nullable(uuid())),
    description: t.Optional(nullable(longText())),
    /** USD; 422 unless above 0 (decisions, Quote service). */
    staticValue: t.Optional(nullable(t.Number())),
  },
  {
    title: 'NewAsset',
    examples: [
      {
        name: 'PayPal USD',
        code: 'PYUSD',
        description: 'A token that follows the US dollar',
        categoryId: exampleIds.category,
      },
    ],
  },
)
export type NewAsset = Static<typeof NewAsset>

/** PUT /assets/:id: only the given fields change; null clears one. */
export const AssetChanges = t.Partial(NewAsset, {
  title: 'AssetChanges',
  examples: [{ name: 'Euro Coin', description: 'A token that follows the euro' }],
})
export type AssetChanges = Static<typeof AssetChanges>

/** PATCH /assets/:id/static-value */
export const StaticValue = t.Object(
  { staticValue: nullable(t.Number()) },
  { title: 'StaticValue', examples: [{ staticValue: 1.08 }] },
)

/** Spec 1, Asset. */
export const Asset = t.Object(
  {
    id: uuid(),
    name: t.String(),
    code: t.String(),
    categoryId: nullable(uuid()),
    description: nullable(t.String()),
    staticValue: nullable(t.Number()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Asset' },
)
export type Asset = Static<typeof Asset>

export const AssetWithRelations = t.Object(
  {
    ...Asset.properties,
    category: nullable(MappedCategory),
    assetProviders: t.Array(
      t.Object({ assetId: uuid(), providerId: uuid(), provider: MappedProvider }, { title: 'AssetMapping' }),
    ),
  },
  { title: 'AssetWithRelations' },
)
export type AssetWithRelations = Static<typeof AssetWithRelations>

export const AssetPage = pageOf(AssetWithRelations)
export type AssetPage = Static<typeof AssetPage>

/** GET /assets */
export const AssetQuery = t.Object({
  name: t.Optional(searchText()),
  code: t.Optional(searchText('Only the asset with exactly this code, case-insensitive')),
  categoryId: t.Optional(queryUuid()),
  ...pageQuery({ sortBy: ['name', 'code', 'createdAt', 'updatedAt'], defaultSort: 'createdAt', defaultOrder: 'desc' }),
})
export type AssetQuery = Static<typeof AssetQuery>

export const ById = byId(exampleIds.quoteAsset)
