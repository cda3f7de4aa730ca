import { t } from '@bursar/contracts/schema'

/** A name or code: 1 to 255 characters, not blank. */
export const nonBlank = () =>
  t.String({
    minLength: 1,
    maxLength: 255,
    format: 'single-line',
    pattern: '\\S',
    patternProblem: 'should not be blank',
  })

/** The id of another service's record: any text; one that is not a UUID is not found. */
export const someId = (example?: string) =>
  t.String({ minLength: 1, maxLength: 128, ...(example === undefined ? {} : { examples: [example] }) })
