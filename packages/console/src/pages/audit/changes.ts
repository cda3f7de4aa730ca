/** A field that differs between two states of a record; `from` or `to` is undefined if the field is absent. */
export interface Change {
  /** `roles.0`, `config.url` */
  field: string
  from: unknown
  to: unknown
}

/** The differences between two states, field by field; null if one of them is unknown. */
export function changesBetween(before: unknown, after: unknown): Change[] | null {
  if (!isRecord(before) || !isRecord(after) || 'unreadable' in before || 'unreadable' in after) return null
  return differences(before, after, '')
}

function differences(before: Fields, after: Fields, path: string): Change[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const [from, to] = [before[name], after[name]]
    if (JSON.stringify(from) === JSON.stringify(to)) return []
    if (isRecord(from) && isRecord(to)) return differences(from, to, `${path}${name}.`)
    return [{ field: path + name, from, to }]
  })
}

type Fields = Record<string, unknown>
const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value on one line. */
export function shownValue(value: unknown): string {
  if (value === undefined) return '–'
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ') || 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
