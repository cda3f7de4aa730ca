import { exampleIds } from '@bursar/contracts/examples'
import { byId, jsonObject, nonBlank, type Static, smallJsonObject, t, timestamp, uuid } from '@bursar/contracts/schema'
import { pageOf, pageQuery, queryBoolean } from '@bursar/http'
import { searchText } from '../fields/fields'

/** POST /providers */
export const NewProvider = t.Object(
  {
    name: nonBlank(),
    slug: nonBlank(),
    isDefault: t.Optional(t.Boolean()),
    config: t.Optional(smallJsonObject()),
  },
  {
    title: 'NewProvider',
    examples: [{ name: 'Desk rates', slug: 'desk', isDefault: false, config: { rates: { XAUT: 2650.5 } } }],
  },
)
export type NewProvider = Static<typeof NewProvider>

/** PUT /providers/:id: only the given fields change; `config` is replaced as a whole. */
export const ProviderChanges = t.Partial(NewProvider, {
  title: 'ProviderChanges',
  examples: [{ config: { priority: 3, timeout: 4000 } }],
})
export type ProviderChanges = Static<typeof ProviderChanges>

/** Spec 1, Provider. Credentials in `config` read `********`. */
export const Provider = t.Object(
  {
    id: uuid(),
    name: t.String(),
    slug: t.String(),
    isDefault: t.Boolean(),
    config: jsonObject(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Provider' },
)
export type Provider = Static<typeof Provider>

/** A provider inside a mapping of an asset or a category. */
export const MappedProvider = t.Object(
  { id: uuid(), name: t.String(), slug: t.String(), isDefault: t.Boolean() },
  { title: 'MappedProvider' },
)

/** An asset inside a mapping. */
const MappedAsset = t.Object({ id: uuid(), name: t.String(), code: t.String() }, { title: 'MappedAsset' })
/** A category inside an asset or a mapping. */
export const MappedCategory = t.Object({ id: uuid(), name: t.String() }, { title: 'MappedCategory' })

export const ProviderWithRelations = t.Object(
  {
    ...Provider.properties,
    assetProviders: t.Array(
      t.Object({ assetId: uuid(), providerId: uuid(), asset: MappedAsset }, { title: 'ProviderAsset' }),
    ),
    categoryProviders: t.Array(
      t.Object({ categoryId: uuid(), providerId: uuid(), category: MappedCategory }, { title: 'ProviderCategory' }),
    ),
  },
  { title: 'ProviderWithRelations' },
)
export type ProviderWithRelations = Static<typeof ProviderWithRelations>

export const ProviderPage = pageOf(ProviderWithRelations)

/** GET /providers */
export const ProviderQuery = t.Object({
  name: t.Optional(searchText()),
  slug: t.Optional(searchText('Only the provider with exactly this slug, case-sensitive')),
  isDefault: t.Optional(queryBoolean()),
  ...pageQuery({ sortBy: ['name', 'slug', 'createdAt', 'updatedAt'], defaultSort: 'createdAt', defaultOrder: 'asc' }),
})
export type ProviderQuery = Static<typeof ProviderQuery>

export const ById = byId(exampleIds.provider)
