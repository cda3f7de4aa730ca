import { exampleIds } from '@bursar/contracts/examples'
import { byId, nonBlank, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { pageOf, pageQuery } from '@bursar/http'
import { longText, searchText } from '../fields/fields'
import { MappedProvider } from '../providers/providers.model'

/** POST /categories */
export const NewCategory = t.Object(
  { name: nonBlank(), description: t.Optional(nullable(longText())) },
  {
    title: 'NewCategory',
    examples: [{ name: 'Tokenised metals', description: 'Tokens that follow the price of a metal' }],
  },
)
export type NewCategory = Static<typeof NewCategory>

/** PUT /categories/:id: only the given fields change; null clears the description. */
export const CategoryChanges = t.Partial(NewCategory, {
  title: 'CategoryChanges',
  examples: [{ description: 'Tokens that follow the value of a currency' }],
})
export type CategoryChanges = Static<typeof CategoryChanges>

/** Spec 1, Category. */
export const Category = t.Object(
  {
    id: uuid(),
    name: t.String(),
    description: nullable(t.String()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'Category' },
)
export type Category = Static<typeof Category>

export const CategoryWithRelations = t.Object(
  {
    ...Category.properties,
    assets: t.Array(
      t.Object(
        { id: uuid(), name: t.String(), code: t.String(), description: nullable(t.String()) },
        { title: 'CategoryAsset' },
      ),
    ),
    categoryProviders: t.Array(
      t.Object({ categoryId: uuid(), providerId: uuid(), provider: MappedProvider }, { title: 'CategoryMapping' }),
    ),
  },
  { title: 'CategoryWithRelations' },
)
export type CategoryWithRelations = Static<typeof CategoryWithRelations>

export const CategoryPage = pageOf(CategoryWithRelations)

/** GET /categories */
export const CategoryQuery = t.Object({
  name: t.Optional(searchText()),
  ...pageQuery({ sortBy: ['name', 'createdAt', 'updatedAt'], defaultSort: 'createdAt', defaultOrder: 'asc' }),
})
export type CategoryQuery = Static<typeof CategoryQuery>

export const ById = byId(exampleIds.category)
