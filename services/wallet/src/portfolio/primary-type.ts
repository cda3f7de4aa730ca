/**
 * EIP-712: the type of the whole message, which a request does not name: the one that no other type refers to. Null when
 * there is none or more than one, or the types are not lists of fields.
 */
export function primaryTypeOf(types: Record<string, unknown>): string | null {
  const structs = Object.entries(types).filter(([name]) => name !== 'EIP712Domain')
  if (!structs.every(([, fields]) => Array.isArray(fields) && fields.every(isField))) return null
  const referred = new Set(
    structs.flatMap(([name, fields]) =>
      (fields as { type: string }[]).map(({ type }) => type.replace(/(\[\d*\])+$/, '')).filter((type) => type !== name),
    ),
  )
  const roots = structs.map(([name]) => name).filter((name) => !referred.has(name))
  return roots.length === 1 ? (roots[0] ?? null) : null
}

const isField = (field: unknown): boolean =>
  typeof field === 'object' &&
  field !== null &&
  'name' in field &&
  'type' in field &&
  typeof field.name === 'string' &&
  typeof field.type === 'string'
