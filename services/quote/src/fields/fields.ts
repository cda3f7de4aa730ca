import { t } from '@bursar/contracts/schema'

/** A longer text; it may be empty. */
export const longText = () => t.String({ maxLength: 10_000 })

/** The search text of a list. */
export const searchText = (description = 'Only records with this text in the field, case-insensitive') =>
  t.String({ maxLength: 255, description })
