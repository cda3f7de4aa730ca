import type { TSchema } from '@bursar/contracts/schema'

/** One field of a payload. A field of an object in it is `outer.inner`, one of a list's items `list[].field`. */
interface FieldRow {
  field: string
  /** `string (uuid)`, `integer ≥ 0`, `active | inactive`, `string or null`. */
  type: string
  isOptional: boolean
  /** What the schema says of it; empty where it says nothing. */
  meaning: string
}

/** The fields of an object's schema, those of objects within it behind their owner. */
export function fieldRows(schema: TSchema, prefix = ''): FieldRow[] {
  const required: readonly string[] = schema.required ?? []
  return Object.entries<TSchema>(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name
    const row = {
      field: path,
      type: typeOf(field),
      isOptional: !required.includes(name),
      meaning: field.description ?? '',
    }
    return [row, ...fieldRows(innerObject(field), `${path}${listOf(field) ? '[]' : ''}.`)]
  })
}

/** Of a union with null, the other part. */
const present = (schema: TSchema): TSchema[] =>
  schema.anyOf ? schema.anyOf.filter((part: TSchema) => part.type !== 'null').flatMap(present) : [schema]

const listOf = (schema: TSchema): TSchema | undefined => present(schema).find(({ type }) => type === 'array')?.items

function innerObject(schema: TSchema): TSchema {
  const [inner] = present(listOf(schema) ?? schema)
  return inner?.properties ? inner : ({} as TSchema)
}

function typeOf(schema: TSchema): string {
  if (schema.anyOf) {
    const parts = schema.anyOf.map(typeOf)
    const words = parts.filter((part: string) => part !== 'null').join(' | ')
    return parts.includes('null') ? `${words} or null` : words
  }
  if (schema.enum) return schema.enum.join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`
  if (schema.patternProperties)
    return `object of ${typeOf(Object.values<TSchema>(schema.patternProperties)[0] as TSchema)}`
  if (schema.format) return `${schema.type} (${schema.format})`
  const bounds = [
    schema.minimum === undefined ? '' : ` ≥ ${schema.minimum}`,
    schema.maximum === undefined ? '' : ` ≤ ${schema.maximum}`,
  ]
  return `${schema.type ?? 'any JSON value'}${bounds.join('')}`
}
