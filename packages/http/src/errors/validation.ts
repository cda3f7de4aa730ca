import { isWithin } from '@bursar/contracts/schema'
import { Kind, type TSchema } from '@sinclair/typebox'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import { AppError, type FieldProblem, failCommon } from './errors'

/** The rule of a query value: the problem of a text, in words that follow the field's name; null for none. */
export type Problem = (value: unknown) => string | null

interface Found {
  path: string
  value: unknown
  schema: TSchema
}

/**
 * Converts the errors of a schema to one sentence per field, in the order of the schema (spec 1: `message` is an array
 * of strings; decisions: all failing fields at once, in words a person understands).
 */
export function validationError(errors: Iterable<ValueError>, part: string): AppError {
  const fields = problemsOf(errors, part)
  if (fields.length === 0) return failCommon('INVALID_REQUEST')
  if (part === 'params' && fields.every(({ message }) => message.endsWith(uuidProblem))) {
    return new AppError('INVALID_REQUEST', 400, 'Validation failed (uuid is expected)')
  }
  const code = fields.every(({ message }) => message.endsWith(isoTimeProblem))
    ? 'INVALID_DATE_FORMAT'
    : 'INVALID_REQUEST'
  return new AppError(code, 400, fields.map(({ message }) => message).join('; '), { fields })
}

/** The problems of a value by a schema, one sentence per field; empty for none. For values without a route's schema. */
export const fieldProblems = (schema: TSchema, value: unknown): FieldProblem[] =>
  problemsOf(firstProblems(Value.Errors(schema, value)), 'data')

function problemsOf(errors: Iterable<ValueError>, part: string): FieldProblem[] {
  const found = new Map<string, FieldProblem>()
  for (const error of errors) {
    const field = fieldName(error.path) || part
    // A path parameter that cannot be decoded is not a UUID either.
    const problem = part === 'params' && error.schema.format === 'uuid' ? uuidProblem : problemOf(error)
    if (!found.has(field)) found.set(field, { field, message: `${field} ${problem}` })
  }
  return withinSize([...found.values()])
}

/** A body of a megabyte can have a hundred thousand errors: callers correct the first ones and send it again. */
const mostFields = 100

/** The problems of the first fields. A field that the schema lacks is no problem. */
export function firstProblems(errors: Iterable<ValueError>): ValueError[] {
  const found: ValueError[] = []
  const fields = new Set<string>()
  for (const problem of errors) {
    if (problem.type === ValueErrorType.ObjectAdditionalProperties) continue
    fields.add(problem.path)
    if (fields.size > mostFields) break
    found.push(problem)
  }
  return found
}

/** The most characters about fields in one answer. */
const mostCharacters = 16 * 1024

/** The first problems that fit into an answer; at least one. */
function withinSize(fields: FieldProblem[]): FieldProblem[] {
  let size = 0
  const end = fields.findIndex(({ field, message }) => {
    size += 2 * message.length + field.length
    return size > mostCharacters
  })
  return end < 0 ? fields : fields.slice(0, Math.max(1, end))
}

/** `/customers/0/name` → `customers.0.name` */
const fieldName = (path: string): string =>
  path.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~')

export const isoTimeProblem = 'must be a valid ISO 8601 date string'

export const uuidProblem = 'must be a UUID'

const formatProblems = new Map<string, string>([
  ['uuid', uuidProblem],
  ['date-time', isoTimeProblem],
  ['single-line', 'must not hold control characters'],
])

const typeProblems = new Map<string, string>([
  ['string', 'must be a string'],
  ['number', 'must be a number'],
  ['integer', 'must be an integer'],
  ['boolean', 'must be a boolean'],
  ['array', 'must be an array'],
  ['object', 'must be an object'],
  ['null', 'must be null'],
])

function problemOf({ schema, value }: Found): string {
  const own = schema.problem as Problem | undefined
  if (own) return own(value) ?? 'is not valid'
  if (Array.isArray(schema.enum)) return `must be one of the following values: ${schema.enum.join(', ')}`
  if (schema.const !== undefined) return `must be ${JSON.stringify(schema.const)}`
  if (schema.anyOf) return unionProblem(schema.anyOf as TSchema[], value)
  if (value === undefined)
    return schema.type === 'string' ? 'should not be empty' : (typeProblems.get(schema.type) ?? 'is required')
  const hasType = typeof value === schema.type || (schema.type === 'array' && Array.isArray(value))
  if (schema.type === 'string' && hasType) return stringProblem(schema, value as string)
  if (schema.type === 'array' && hasType) return arrayProblem(schema, value as unknown[])
  if (typeof value === 'number') return numberProblem(schema, value)
  return typeProblems.get(schema.type) ?? 'is not valid'
}

/** For a value or null: the problem of the value. For other unions: the names of the alternatives. */
function unionProblem(alternatives: TSchema[], value: unknown): string {
  const [only, ...others] = alternatives.filter((schema) => schema[Kind] !== 'Null')
  if (only && others.length === 0) {
    const problem = problemOf({ schema: only, value, path: '' })
    if (problem === 'should not be empty' && value === undefined) return typeProblems.get(only.type) ?? problem
    // "should not be empty or null" would say that null is refused.
    return problem.startsWith('must ') && !problem.startsWith('must not ') ? `${problem} or null` : problem
  }
  const constants = alternatives.map((schema) => schema.const).filter((value) => value !== undefined)
  return constants.length > 0
    ? `must be one of the following values: ${constants.join(', ')}`
    : 'has none of the forms that are taken here'
}

function stringProblem(schema: TSchema, value: string): string {
  if (schema.minLength !== undefined && isWithin(value, schema.minLength - 1)) {
    return schema.minLength === 1 ? 'should not be empty' : `must be at least ${schema.minLength} characters long`
  }
  if (schema.maxLength !== undefined && !isWithin(value, schema.maxLength)) {
    return `must be at most ${schema.maxLength} characters long`
  }
  const isInPattern = schema.pattern === undefined || new RegExp(schema.pattern).test(value)
  return (isInPattern && formatProblems.get(schema.format)) || mismatchOf(schema)
}

/** What a pattern wants, in the schema's own words. */
const mismatchOf = ({ patternProblem, description }: TSchema): string =>
  patternProblem ?? description ?? 'has not the right form'

function numberProblem(schema: TSchema, value: number): string {
  if (!Number.isFinite(value)) return 'must be a number'
  if (schema.minimum !== undefined && value < schema.minimum) return `must not be less than ${schema.minimum}`
  if (schema.maximum !== undefined && value > schema.maximum) return `must not be greater than ${schema.maximum}`
  if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum) {
    return `must be greater than ${schema.exclusiveMinimum}`
  }
  return typeProblems.get(schema.type) ?? 'is not valid'
}

function arrayProblem({ minItems, maxItems, uniqueItems }: TSchema, { length }: unknown[]): string {
  const isOfLength = length >= (minItems ?? 0) && length <= (maxItems ?? length)
  return isOfLength && uniqueItems ? 'must not have equal items' : lengthProblem('items', minItems, maxItems)
}

function lengthProblem(what: string, least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `must have ${least} to ${most} ${what}`
  return least === undefined ? `must have at most ${most} ${what}` : `must have at least ${least} ${what}`
}
