import { exampleIds } from '@bursar/contracts/examples'
import { about, jsonObject, nullable, type Static, smallJsonObject, t, timestamp, uuid } from '@bursar/contracts/schema'

/** POST /category-providers */
export const NewCategoryProvider = t.Object(
  {
    categoryId: uuid(),
    providerId: uuid(),
    config: t.Optional(nullable(smallJsonObject())),
  },
  {
    title: 'NewCategoryProvider',
    examples: [{ categoryId: exampleIds.category, providerId: exampleIds.spareProvider }],
  },
)
export type NewCategoryProvider = Static<typeof NewCategoryProvider>

/** Spec 1, Category-provider mapping. */
export const CategoryProvider = t.Object(
  {
    id: uuid(),
    categoryId: uuid(),
    providerId: uuid(),
    config: nullable(jsonObject()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'CategoryProvider' },
)
export type CategoryProvider = Static<typeof CategoryProvider>

/** The path of one mapping; `id` is the provider's. */
export const CategoryProviderPath = t.Object({ id: about('The id of the provider', uuid()), categoryId: uuid() })
export type CategoryProviderPath = Static<typeof CategoryProviderPath>
