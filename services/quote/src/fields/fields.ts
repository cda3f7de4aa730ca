import { t } from '@bursar/contracts/schema'

/** A name, code or slug: 1 to 255 characters, not blank. */
export const nonBlank = () =>
  t.String({
    minLength: 1,
    maxLength: 255,
    format: 'single-line',
    pattern: '\\S',
    patternProblem: 'should not be blank',
  })

/** A longer text; it may be empty. */
export const longText = () => t.String({ maxLength: 10_000 })

/** What a list is searched for. */
export const searchText = () =>
  t.String({ maxLength: 255, description: 'Only records with this text in the field, in any case' })
