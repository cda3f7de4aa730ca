/** The methods of a path, which the router does not report. Empty if the path is not served. */
export function allowedMethods(routes: readonly { method: string; path: string }[], path: string): string[] {
  const asked = segmentsOf(path)
  const methods = new Set<string>()
  for (const route of routes) {
    if (!matches(segmentsOf(route.path), asked)) continue
    methods.add(route.method)
    if (route.method === 'GET') methods.add('HEAD')
  }
  methods.delete('WS')
  return [...methods].sort()
}

/** One trailing slash is ignored, as by the router. */
const segmentsOf = (path: string): string[] =>
  path
    .slice(1)
    .replace(/(?<=.)\/$/, '')
    .split('/')

const matches = (pattern: readonly string[], asked: readonly string[]): boolean =>
  pattern.at(-1) === '*'
    ? asked.length >= pattern.length - 1 && matches(pattern.slice(0, -1), asked.slice(0, pattern.length - 1))
    : pattern.length === asked.length &&
      pattern.every((part, i) => (part.startsWith(':') ? asked[i] !== '' : part === asked[i]))
