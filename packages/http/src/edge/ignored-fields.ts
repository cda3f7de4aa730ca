import { Kind, type TSchema } from '@sinclair/typebox'

/**
 * Removes from a body null where it means absent (`optional` of contracts), and unknown fields whose names every object
 * inherits (`constructor`, `toString`, `__proto__`): TypeBox's cleaning drops all other unknown fields, but treats
 * these as fields of the schema, and its check then refuses them. Changes the value in place; parts with no defined
 * fields stay unchanged.
 */
export function dropIgnored(schema: TSchema | undefined, value: unknown): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return
  if (schema.type === 'array' && Array.isArray(value)) {
    for (const item of value) dropIgnored(schema.items, item)
  } else if (schema.type === 'object' && schema.properties && !Array.isArray(value)) {
    dropFrom(value as Record<string, unknown>, schema.properties)
  } else if (schema.anyOf) {
    const [only, ...others] = (schema.anyOf as TSchema[]).filter((each) => each[Kind] !== 'Null')
    if (others.length === 0) dropIgnored(only, value)
  }
}

function dropFrom(record: Record<string, unknown>, properties: Record<string, TSchema>): void {
  for (const name of Object.getOwnPropertyNames(record)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (schema ? schema.nullIsAbsent && record[name] === null : isInherited(name)) delete record[name]
    else dropIgnored(schema, record[name])
  }
}

/** The same for a query: no route uses such names. */
export function dropInheritedKeys(query: Record<string, unknown>): void {
  for (const name of Object.keys(query)) if (isInherited(name)) delete query[name]
}

const isInherited = (name: string): boolean => name in Object.prototype
