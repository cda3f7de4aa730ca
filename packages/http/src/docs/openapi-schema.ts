/** A JSON object of the document. */
export type Json = { [key: string]: unknown }

/** Converts our schemas to schemas of the document, and collects the named ones. */
export type SchemaCollector = ReturnType<typeof collectSchemas>

/** A schema without the wrapping that answers.ts puts around it in production. */
export const unwrapped = (schema: Json): Json => (isJson(schema['x-answer']) ? schema['x-answer'] : schema)

/** Different schemas with the same title get a number. `words`: meanings of fields by name. */
export function collectSchemas(words: Readonly<Record<string, string>> = {}) {
  const named: Record<string, Json> = {}
  const texts = new Map<string, string>()
  /** The meaning of a field or parameter, by its name, if its schema does not say. */
  const meaningOf = (field: string) => (Object.hasOwn(words, field) ? words[field] : undefined)

  function refer({ title, ...schema }: Json): Json {
    // A property's own description (`about`) stands beside the reference.
    const text = JSON.stringify({ ...schema, description: undefined })
    const name = String(title).replaceAll(/[^\w.-]/g, '')
    for (let number = 1; ; number++) {
      const key = number === 1 ? name : `${name}${number}`
      if (texts.has(key) && texts.get(key) !== text) continue
      texts.set(key, text)
      named[key] = schema
      return { $ref: `#/components/schemas/${key}` }
    }
  }

  const convert = (schema: Json): Json => {
    const converted = inPlainWords(withParts(withNull(unwrapped(schema)), convert, convertProperty))
    return typeof converted.title === 'string' ? refer(converted) : converted
  }
  /** A reference may have a description beside it (OpenAPI 3.1). */
  const convertProperty = (schema: Json, field: string): Json => {
    const { description: own, ...unsaid } = schema
    const converted = convert(typeof schema.title === 'string' ? unsaid : schema)
    const description = own ?? converted.description ?? meaningOf(field)
    return description === undefined ? converted : { ...converted, description }
  }
  return {
    /** The named schemas so far, for `components.schemas`. */
    named,
    meaningOf,
    /**
     * The schema as OpenAPI 3.1 has it (JSON Schema 2020-12); one with a `title` becomes a reference to it. Converting
     * through JSON text drops TypeBox's symbols and our functions (query.ts).
     */
    add: (schema: unknown) => convert(JSON.parse(JSON.stringify(schema))),
  }
}

/** A field that takes null as absent (`optional` of contracts) says that it takes null. */
const withNull = ({ nullIsAbsent, ...schema }: Json): Json =>
  nullIsAbsent ? { anyOf: [schema, { type: 'null' }] } : schema

const schemaLists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
/** Keywords that are not JSON Schema's, or mean nothing in a document. */
const own = ['$id', 'patternProblem', 'elysiaMeta']
const schemaMaps = ['properties', 'patternProperties']
const schemas = ['items', 'additionalProperties', 'unevaluatedProperties', 'not']

type Convert = (part: Json, field: string) => Json

/** Elysia adds it to schemas that it has used, but unknown fields are dropped, not refused. */
const isClosing = (key: string, value: unknown): boolean => key === 'additionalProperties' && value === false

/** The schema with each of the schemas inside it converted. `default`, `const` and the like are values: left alone. */
function withParts(schema: Json, convert: (part: Json) => Json, convertProperty: Convert): Json {
  const copy: Json = {}
  for (const [key, value] of Object.entries(tuplesRenamed(schema))) {
    if (schemaLists.includes(key) && Array.isArray(value)) copy[key] = value.map(convert)
    else if (schemaMaps.includes(key) && isJson(value)) copy[key] = mapValues(value, convertProperty)
    else if (schemas.includes(key) && isJson(value)) copy[key] = convert(value)
    else if (!own.includes(key) && !isClosing(key, value)) copy[key] = value
  }
  return copy
}

/** TypeBox writes tuples as an older JSON Schema had them; their number is in `maxItems`, `items` is for the linters. */
function tuplesRenamed({ items, additionalItems: _, ...schema }: Json): Json {
  if (Array.isArray(items)) return { ...schema, prefixItems: items, items: {} }
  return items === undefined ? schema : { ...schema, items }
}

/** Simplifies schemas that TypeBox composes, as a person would write them. */
function inPlainWords(schema: Json): Json {
  const { anyOf, allOf, patternProperties, ...rest } = schema
  if (Array.isArray(anyOf)) return unionInPlainWords(anyOf, { ...schema }, rest)
  if (Array.isArray(allOf) && allOf.length === 1) return { ...allOf[0], ...rest }
  if (isJson(patternProperties)) {
    const [[pattern, values] = [], ...others] = Object.entries(patternProperties)
    if (pattern === '^(.*)$' && others.length === 0) return { ...rest, additionalProperties: values }
  }
  return schema
}

function unionInPlainWords(anyOf: Json[], schema: Json, rest: Json): Json {
  if (anyOf.every((part) => typeof part.const === 'string')) {
    return { ...rest, type: 'string', enum: anyOf.map((part) => part.const) }
  }
  const [only, ...others] = anyOf.filter((part) => part.type !== 'null')
  const isPlain = only && typeof only.type === 'string' && !('enum' in only) && !('const' in only)
  const takesNull = anyOf.length === 2 && others.length === 0
  return isPlain && takesNull ? { ...only, ...rest, type: [only.type, 'null'] } : schema
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const mapValues = (map: Json, convert: Convert): Json =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, convert(value as Json, key)]))
