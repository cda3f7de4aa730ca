import { t, uuid } from '@bursar/contracts/schema'
import { Kind, TypeRegistry } from '@sinclair/typebox'

/** A name, code or slug: 1 to 255 characters, not blank. */
export const word = () => t.String({ minLength: 1, maxLength: 255, pattern: '\\S', description: 'should not be blank' })

/** A longer text; it may be empty. */
export const prose = () => t.String({ maxLength: 10_000 })

/** What a list is searched for. */
export const searchText = () => t.String({ maxLength: 255 })

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
TypeRegistry.Set('Settings', (_schema, value) => isObject(value))

/**
 * A JSON object whose meaning is its owner's. A kind of its own, without `type` at its top: Elysia's cleaning would make
 * an object of a list or a text before anyone could refuse it.
 */
export const settings = () =>
  t.Unsafe<Record<string, unknown>>({
    [Kind]: 'Settings',
    allOf: [{ type: 'object', additionalProperties: true }],
    problem: (value: unknown) => (isObject(value) ? null : 'must be an object'),
  })

/** The path of one record. */
export const ById = t.Object({ id: uuid() })
