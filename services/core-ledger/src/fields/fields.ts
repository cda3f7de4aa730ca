import { t, uuid } from '@bursar/contracts/schema'

/** A name or code: 1 to 255 characters, not blank. */
export const word = () => t.String({ minLength: 1, maxLength: 255, pattern: '\\S', description: 'should not be blank' })

/** An id as others write it: any text, for one that is no UUID is simply not found. */
export const someId = () => t.String({ minLength: 1, maxLength: 128 })

/** The path of one record. */
export const ById = t.Object({ id: uuid() })
