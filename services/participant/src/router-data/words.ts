import { jsonObjectProblem } from '@bursar/contracts/schema'
import { folded } from '@bursar/store'

/** A participant's router configuration: only its owner knows its meaning. */
export type RouterData = Record<string, unknown>

/** The text for the filter `routerData`; null when there is none. */
export const searchableText = (data: RouterData | null): string | null =>
  data === null ? null : folded(JSON.stringify(data))

/** The text to look for: JSON is formatted as in the stored text, an object without its braces. */
export function searchedText(wanted: string): string {
  try {
    const value: unknown = JSON.parse(wanted)
    const text = JSON.stringify(value)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text.slice(1, -1) : text
  } catch {
    return wanted
  }
}

const longestWord = 255

/** Every key and every plain value in the data, each once, at any depth. */
export function wordsIn(data: unknown): string[] {
  const words = new Set<string>()
  const rest: unknown[] = [data]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (Array.isArray(value)) rest.push(...value)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) rest.push(key, inner)
    } else if (value !== null) words.add(String(value))
  }
  return [...words].filter((word) => word !== '' && word.length <= longestWord)
}

const mostBytes = 32 * 1024
const mostWords = 1000

/**
 * The problem of a caller's routerData, worded to follow the field's name; null for none. Its size is
 * bounded for the search index: each word is a row of it.
 */
export function routerDataProblem(value: unknown): string | null {
  if (value === null) return null
  const problem = jsonObjectProblem(value)
  if (problem !== null || typeof value !== 'object') return problem
  if (hasManyParts(value) || Buffer.byteLength(JSON.stringify(value)) > mostBytes) {
    return 'must have at most 32 KiB as JSON'
  }
  if (wordsIn(value).length > mostWords) return `must have at most ${mostWords} different keys and values`
  return null
}

/**
 * Whether there are too many parts for the size limit: a part has at least two bytes. Ends early, since it runs several
 * times.
 */
function hasManyParts(value: object): boolean {
  const rest: unknown[] = [value]
  let parts = 0
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (typeof part !== 'object' || part === null) continue
    const inner = Array.isArray(part) ? part : Object.values(part)
    parts += inner.length
    if (parts * 2 > mostBytes) return true
    rest.push(...inner)
  }
  return false
}
