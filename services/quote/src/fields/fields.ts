import { jsonObject, t } from '@bursar/contracts/schema'
import { Kind, TypeRegistry } from '@sinclair/typebox'

/** A name, code or slug: 1 to 255 characters, not blank. */
export const nonBlank = () =>
  t.String({ minLength: 1, maxLength: 255, pattern: '\\S', patternProblem: 'should not be blank' })

/** A longer text; it may be empty. */
export const longText = () => t.String({ maxLength: 10_000 })

/** The most that a provider's or a mapping's config may take, as JSON text in bytes. */
export const maxConfigBytes = 32 * 1024

const configProblem = (value: unknown): string | null => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object'
  const isTooLarge = Buffer.byteLength(JSON.stringify(value)) > maxConfigBytes
  return isTooLarge ? `must be at most ${maxConfigBytes / 1024} KiB of JSON` : null
}
TypeRegistry.Set('ConfigObject', (_schema, value) => configProblem(value) === null)

/** The config of a provider or of a mapping: a JSON object of at most 32 KiB. */
export const configObject = () =>
  t.Unsafe<Record<string, unknown>>({ ...jsonObject(), [Kind]: 'ConfigObject', problem: configProblem })

/** What a list is searched for. */
export const searchText = () =>
  t.String({ maxLength: 255, description: 'Only records with this text in the field, in any case' })
