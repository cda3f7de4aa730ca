import {
  FormatRegistry,
  JavaScriptTypeBuilder,
  Kind,
  type Static,
  type StringOptions,
  type TSchema,
  type TString,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'

export type { Static, TSchema }

/** Limits of a text count characters, as JSON Schema does: an emoji is one. TypeBox counts `length`, where it is two. */
class Builder extends JavaScriptTypeBuilder {
  override String(options: StringOptions = {}): TString {
    const schema = super.String(options)
    const isLimited = options.maxLength !== undefined || (options.minLength ?? 0) > 1
    return isLimited ? ({ ...schema, [Kind]: 'Text' } as unknown as TString) : schema
  }
}

/** TypeBox's builder: one source for validation, static types and the OpenAPI document. */
export const t = new Builder()

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const dateTimePattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * A fast path: times as services write them, except of 29 February. The full check takes ten times as long, and an event has
 * ten times.
 */
const usualMoment =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** The first and the last moment with a year of four digits, in UTC: others could not be told in the same form. */
const [firstMs, lastMs] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/** True for an ISO 8601 date or date-time that names a real moment (`2026-02-30` does not). */
export function isIsoTime(value: string): boolean {
  if (usualMoment.test(value)) return true
  // `Date.parse` accepts impossible days of the first centuries.
  if (!dateTimePattern.test(value) || !isDay(value)) return false
  const ms = parseIsoTime(value).getTime()
  return ms >= firstMs && ms <= lastMs
}

const daysOf = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(value: string): boolean {
  const [year, month, day] = [+value.slice(0, 4), +value.slice(5, 7), +value.slice(8, 10)]
  if (month === 2 && day === 29) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day > 0 && day <= (daysOf[month - 1] ?? 0)
}

/** The moment that an ISO 8601 date or date-time names. One without a zone is UTC. */
export const parseIsoTime = (value: string): Date => new Date(hasZone(value) ? value : `${value}Z`)

/** A date alone is UTC by the standard, and must not have a `Z`. */
const hasZone = (value: string): boolean => !value.includes('T') || /(Z|[+-]\d{2}:?\d{2})$/.test(value)

/** True for any UUID in its 8-4-4-4-12 text form, whatever its version. */
export const isUuid = (value: string): boolean => uuidPattern.test(value)

/** An id in comparable form: a UUID in lower case, any other text unchanged. */
export const foldedId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id)

FormatRegistry.Set('uuid', isUuid)
FormatRegistry.Set('date-time', isIsoTime)
/**
 * Refuses characters that end a line or change the direction of text: an amount beside a name would read differently.
 */
const isSingleLine = (value: string): boolean => !/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(value)
FormatRegistry.Set('single-line', isSingleLine)

/** True for at most `most` characters. */
export function isWithin(value: string, most: number): boolean {
  if (value.length <= most) return true
  return value.length <= 2 * most && [...value].length <= most
}

const compiled = new Map<string, RegExp>()
const compile = (pattern: string): RegExp => compiled.getOrInsertComputed(pattern, (text) => new RegExp(text))

function isText({ minLength = 0, maxLength, pattern, format }: StringOptions, value: unknown): boolean {
  if (typeof value !== 'string' || isWithin(value, minLength - 1)) return false
  if (maxLength !== undefined && !isWithin(value, maxLength)) return false
  if (pattern !== undefined && !(compiled.get(pattern) ?? compile(pattern)).test(value)) return false
  return format === undefined || FormatRegistry.Get(format)?.(value) === true
}
TypeRegistry.Set('Text', isText)

/** A UUID as a string. */
export const uuid = () => Type.String({ format: 'uuid' })
/** A moment: ISO 8601 in UTC, with milliseconds and `Z` on output. */
export const timestamp = () => Type.String({ format: 'date-time' })
/**
 * One line of text, not empty, of at most `maxLength` characters (10,000 by default). Control characters are refused in
 * codes, names and ids, because they could forge lines where these are shown.
 */
export const text = (maxLength = 10_000) => t.String({ minLength: 1, maxLength, format: 'single-line' })
/** A line of text with a visible character, such as a name or a code. */
export const nonBlank = (maxLength = 255) =>
  t.String({ minLength: 1, maxLength, format: 'single-line', pattern: '\\S', patternProblem: 'should not be blank' })
/** The same schema with a description, for the OpenAPI document. */
export const about = <S extends TSchema>(description: string, schema: S): S => ({ ...schema, description })
/** The path of one record; the example is one that `bun run seed` makes (examples.ts). */
export const byId = (example: string) => Type.Object({ id: { ...uuid(), examples: [example] } })
/** The schema's value or null. */
export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
/**
 * An optional field of a body that answers show as null. Null is taken there too and means absent: the route does not
 * see it (packages/http, ignored-fields.ts).
 */
export const optional = <S extends TSchema>(schema: S) => Type.Optional({ ...schema, nullIsAbsent: true } as S)
// TypeBox's own String ignores `enum`, and its Union of literals reads badly in the document: a kind of its own.
TypeRegistry.Set('Word', (schema: { enum: readonly unknown[] }, value) => schema.enum.includes(value))

/** One of a few words: a JSON-schema `enum`. */
export const oneOf = <const V extends readonly string[]>(words: V, options: { default?: V[number] } = {}) =>
  Type.Unsafe<V[number]>({ [Kind]: 'Word', type: 'string', enum: [...words], ...options })

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
/** `1e400` is JSON, but parses as Infinity, and would be stored as null. */
function holdsInfinity(value: unknown): boolean {
  const rest = [value]
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part === Number.POSITIVE_INFINITY || part === Number.NEGATIVE_INFINITY) return true
    if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) rest.push(inner)
  }
  return false
}

/** The problem of a caller's JSON object, worded to follow the field's name; null for none. */
export function jsonObjectProblem(value: unknown): string | null {
  if (!isObject(value)) return 'must be an object'
  return holdsInfinity(value) ? 'must hold no number beyond 1.8e308' : null
}
TypeRegistry.Set('JsonObject', (_schema, value) => jsonObjectProblem(value) === null)

/**
 * A JSON object of the caller, stored unchanged. A TypeBox kind of its own, without `type`: Elysia's cleaning would
 * turn a list or a text into an object before it could be refused.
 */
export const jsonObject = () =>
  Type.Unsafe<Record<string, unknown>>({
    [Kind]: 'JsonObject',
    allOf: [{ type: 'object', additionalProperties: true }],
    problem: jsonObjectProblem,
  })

/** The most that a `smallJsonObject` may take, as JSON text in bytes. */
const smallJsonBytes = 32 * 1024

function smallJsonProblem(value: unknown): string | null {
  const problem = jsonObjectProblem(value)
  if (problem !== null) return problem
  const isTooLarge = Buffer.byteLength(JSON.stringify(value)) > smallJsonBytes
  return isTooLarge ? `must be at most ${smallJsonBytes / 1024} KiB of JSON` : null
}
TypeRegistry.Set('SmallJsonObject', (_schema, value) => smallJsonProblem(value) === null)

/** A `jsonObject` of at most 32 KiB, for what is kept with a record and read with it. */
export const smallJsonObject = () =>
  Type.Unsafe<Record<string, unknown>>({ ...jsonObject(), [Kind]: 'SmallJsonObject', problem: smallJsonProblem })
