import { jsonObject, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { configObject } from '../fields/fields'

/** POST /category-providers */
export const NewCategoryProvider = t.Object(
  {
    categoryId: uuid(),
    providerId: uuid(),
    config: t.Optional(nullable(configObject())),
  },
  { title: 'NewCategoryProvider' },
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
export const CategoryProviderPath = t.Object({ id: uuid(), categoryId: uuid() }, { title: 'CategoryProviderPath' })
export type CategoryProviderPath = Static<typeof CategoryProviderPath>
