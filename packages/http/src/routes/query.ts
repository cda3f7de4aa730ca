import { isIsoTime, isUuid, oneOf, parseIsoTime } from '@bursar/contracts/schema'
import { Kind, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'
import { isoTimeProblem, type Problem, uuidProblem } from '../errors/validation'

/**
 * Query values are strings, and read strictly: `abc`, `1e3`, ` 10`, an empty value are no number (decisions, All
 * services). Elysia's own coercion is laxer, so these schemas have a kind of their own, which it does not coerce.
 */
const kind = 'QueryValue'
TypeRegistry.Set(kind, (schema: { problem: Problem }, value) => schema.problem(value) === null)

function queryValue<T>(document: object, problem: Problem, read: (value: string | T) => T): TUnsafe<T> {
  const schema = Type.Unsafe<string | T>({ [Kind]: kind, ...document, problem })
  const transform = Type.Transform(schema)
    .Decode(read)
    .Encode((value) => value)
  // The handler gets the decoded value; Elysia would type it as the input.
  return transform as unknown as TUnsafe<T>
}

/** A whole number within bounds. With `default` it is never absent. */
export function queryInteger(options: { minimum?: number; maximum?: number; default?: number } = {}) {
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = options
  return queryValue<number>({ type: 'integer', ...options }, (value) => integerProblem(value, minimum, maximum), Number)
}

function integerProblem(value: unknown, minimum: number, maximum: number): string | null {
  const number = typeof value === 'number' ? value : /^-?\d{1,16}$/.test(String(value)) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(number)) return 'must be an integer'
  if (number < minimum) return `must not be less than ${minimum}`
  return number > maximum ? `must not be greater than ${maximum}` : null
}

const farthest = 100_000

/**
 * How many rows of a list to skip. Skipping costs as much as reading: callers that want to skip more are told to
 * narrow the list (decisions, Deep offsets).
 */
export const queryOffset = (options: { default?: number } = {}) =>
  queryValue<number>(
    { type: 'integer', minimum: 0, maximum: farthest, ...options },
    (value) => {
      const problem = integerProblem(value, 0, farthest)
      return problem?.includes('greater') ? `${problem}: narrow the list by its filters` : problem
    },
    Number,
  )

/** A page of a list in the order of age, by the number of rows before it. */
export const offsetQuery = {
  limit: queryInteger({ minimum: 0, maximum: 100, default: 20 }),
  offset: queryOffset({ default: 0 }),
}

/** `true` or `false`. */
export const queryBoolean = () =>
  queryValue<boolean>(
    { type: 'boolean' },
    (value) => (value === 'true' || value === 'false' || typeof value === 'boolean' ? null : 'must be true or false'),
    (value) => value === true || value === 'true',
  )

/** A moment in ISO 8601; one without a zone is taken as UTC. */
export const queryTime = () =>
  queryValue<Date>(
    { type: 'string', format: 'date-time' },
    (value) => (value instanceof Date || (typeof value === 'string' && isIsoTime(value)) ? null : isoTimeProblem),
    (value) => (value instanceof Date ? value : parseIsoTime(value)),
  )

/** A UUID; the domain gets it in lower case, as UUIDs are stored. */
export const queryUuid = () =>
  queryValue<string>(
    { type: 'string', format: 'uuid' },
    (value) => (typeof value === 'string' && isUuid(value) ? null : uuidProblem),
    (value) => value.toLowerCase(),
  )

/**
 * One or more of the given words: `status=A&status=B`, or `status=A,B`. The domain gets each once, in the order of
 * `words`, so that a choice has one form. To accept both ways of writing an array, use `{ status: queryWords(words),
 * 'status[]': queryWords(words) }`.
 */
export const queryWords = <const W extends readonly string[]>(words: W) =>
  queryValue<W[number][]>(
    { type: 'array', items: { type: 'string', enum: [...words] }, elysiaMeta: 'ArrayQuery' },
    (value) =>
      chosen(value).every((word) => words.includes(word))
        ? null
        : `must be one or more of the following values: ${words.join(', ')}`,
    (value) => words.filter((word) => chosen(value).includes(word)),
  )

/** One to `most` UUIDs, written as words are; the domain gets each once, in lower case. */
export const queryUuids = (most: number) =>
  queryValue<string[]>(
    {
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      minItems: 1,
      maxItems: most,
      elysiaMeta: 'ArrayQuery',
    },
    (value) => {
      const ids = distinctIds(value)
      if (!ids.every(isUuid)) return 'must be UUIDs, with commas between them'
      return ids.length > most ? `must be at most ${most} UUIDs` : null
    },
    distinctIds,
  )

const distinctIds = (value: unknown): string[] => [...new Set(chosen(value).map((id) => id.toLowerCase()))]

const chosen = (value: unknown): string[] => [value].flat().flatMap((text) => String(text).split(','))

/**
 * The four keys of every paged list. `limit` 0 is allowed: no rows and the true total (decisions, Page size).
 * `maximum` is 100 unless the specification names one.
 */
export const pageQuery = <const K extends readonly [string, ...string[]]>(options: {
  sortBy: K
  defaultSort: K[number]
  defaultOrder: 'asc' | 'desc'
  limit?: number
  maximum?: number
}) => ({
  limit: queryInteger({ minimum: 0, maximum: options.maximum ?? 100, default: options.limit ?? 10 }),
  offset: queryInteger({ minimum: 0, default: 0 }),
  sortBy: oneOf(options.sortBy, { default: options.defaultSort }),
  sortOrder: oneOf(['asc', 'desc'], { default: options.defaultOrder }),
})
