import { t } from '@bursar/contracts/schema'

/** The id of another service's record: any text; one that is not a UUID is not found. */
export const someId = (example?: string) =>
  t.String({ minLength: 1, maxLength: 128, ...(example === undefined ? {} : { examples: [example] }) })
