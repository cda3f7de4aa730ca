import { t, uuid } from '@bursar/contracts/schema'

/** A name, code or slug: 1 to 255 characters, not blank. */
export const word = () => t.String({ minLength: 1, maxLength: 255, pattern: '\\S', description: 'should not be blank' })

/** A longer text; it may be empty. */
export const prose = () => t.String({ maxLength: 10_000 })

/** What a list is searched for. */
export const searchText = () => t.String({ maxLength: 255 })

/** The path of one record. */
export const ById = t.Object({ id: uuid() })
