import { fail } from '../errors'

const keys = ['id', 'externalId', 'address'] as const
type FilterKey = (typeof keys)[number]

/** The values that each filter takes; a filter that is not given matches all. */
export type AccountFilter = Partial<Record<FilterKey, readonly string[]>>

/** The maximum number of values of one `in:`. */
const mostValues = 100

/**
 * Reads `filter[id]`, `filter[externalId]` and `filter[address]`, each `eq:v` or `in:v1,v2` (spec 3, GET /accounts).
 * Any other filter fails (400), with every problem named: an ignored filter would answer with
 * everybody's accounts.
 */
export function readFilter(query: URLSearchParams): AccountFilter {
  const filter: AccountFilter = {}
  const problems: { field: string; message: string }[] = []
  for (const name of new Set([...query.keys()].filter((name) => /^filter(?![A-Za-z0-9_-])/.test(name)))) {
    const key = keys.find((each) => name === `filter[${each}]`)
    const values = key ? valuesOf(query.get(name) ?? '') : `is not a filter; there are ${known}`
    if (typeof values === 'string') problems.push({ field: name, message: `${name} ${values}` })
    else if (key) filter[key] = values
  }
  if (problems.length === 0) return filter
  throw fail('INVALID_REQUEST', {
    message: problems.map(({ message }) => message).join('; '),
    details: problems,
  })
}

const known = keys.map((key) => `filter[${key}]`).join(', ')

/** The values, or what is wrong. */
function valuesOf(text: string): string[] | string {
  const values = text.startsWith('eq:') ? [text.slice(3)] : text.startsWith('in:') ? text.slice(3).split(',') : null
  if (!values || values.includes('')) return 'must be eq:value or in:value1,value2'
  return values.length > mostValues ? `must have at most ${mostValues} values` : [...new Set(values)]
}
