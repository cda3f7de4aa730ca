import { defineErrors } from '@bursar/http'

/** Every error of this service (spec 1, Errors; decisions, Quote service). */
export const fail = defineErrors({
  PAGE_TOO_DEEP: [400, 'offset must not be greater than 100000 here: narrow the list with filters'],

  ASSET_NOT_FOUND: [404, 'Asset not found'],
  ASSET_CODE_TAKEN: [400, 'An asset with this code already exists'],
  ASSET_HAS_RATES: [400, 'The asset has rates and cannot be deleted'],
  STATIC_VALUE_NOT_POSITIVE: [422, 'staticValue must be greater than 0'],

  /** For an asset's category; the category routes answer 400. */
  CATEGORY_NOT_FOUND: [404, 'Category not found'],
  CATEGORY_MISSING: [400, 'Category does not exist'],
  CATEGORY_NAME_TAKEN: [409, 'A category with this name already exists'],
  CATEGORY_HAS_ASSETS: [400, 'The category has assets and cannot be deleted; move or delete them first'],

  PROVIDER_NOT_FOUND: [404, 'Provider not found'],
  PROVIDER_SLUG_TAKEN: [400, 'A provider with this slug already exists'],
  PROVIDER_HAS_MAPPINGS: [400, 'The provider has active mappings and cannot be deleted; delete them first'],
  CONFIG_INVALID: [400, 'config is not valid'],

  MAPPING_EXISTS: [400, 'This mapping already exists'],
  MAPPING_MISSING: [400, 'This mapping does not exist'],
  MAPPED_ASSET_MISSING: [400, 'Asset does not exist'],
  MAPPED_PROVIDER_MISSING: [400, 'Provider does not exist'],

  /** No provider knows the code, or codes outside the catalogue are refused. */
  RATED_ASSET_NOT_FOUND: [400, 'Asset not found'],
  NO_PROVIDER: [503, 'No provider is available for this asset'],
  PROVIDERS_FAILED: [503, 'All providers failed'],
  RATE_NOT_FOUND: [404, 'The asset has no rate of that time'],
  SINCE_TOO_EARLY: [400, 'since must not be more than two days ago'],
  TIMES_REVERSED: [400, 'fromTime must not be after toTime'],
  RATE_NOT_CREATED: [500, 'Failed to create rate'],
})
