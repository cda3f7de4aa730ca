/**
 * Limits of typed data: the cost of hashing is the number of values times the length of the types, on the thread that
 * serves all requests. Large orders of known exchanges are below a tenth of these.
 */
const most = { typeCharacters: 8192, nameCharacters: 128, values: 1000, depth: 16 }

/** Which limit typed data exceeds, as a sentence; null if none. */
export function typedDataProblem(types: Record<string, unknown>, message: Record<string, unknown>): string | null {
  if (JSON.stringify(types).length > most.typeCharacters)
    return `types must be at most ${most.typeCharacters} characters long`
  const names = Object.entries(types).flatMap(([name, fields]) => [name, ...textsIn(fields)])
  if (names.some((name) => name.length > most.nameCharacters)) {
    return `types must have names of at most ${most.nameCharacters} characters`
  }
  const values = countValues(message, most.depth)
  if (values === null) return `typedDataMessage must be at most ${most.depth} levels deep`
  return values > most.values ? `typedDataMessage must hold at most ${most.values} values` : null
}

const textsIn = (fields: unknown): string[] =>
  Array.isArray(fields)
    ? fields.flatMap((field) =>
        Object.values(field ?? {}).filter((value): value is string => typeof value === 'string'),
      )
    : []

/** The number of values, including objects and lists; null if they are nested more deeply. */
function countValues(value: unknown, depth: number): number | null {
  if (typeof value !== 'object' || value === null) return 1
  if (depth === 0) return null
  let count = 1
  for (const inner of Object.values(value)) {
    const found = countValues(inner, depth - 1)
    if (found === null) return null
    count += found
  }
  return count
}
