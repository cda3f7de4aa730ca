import { fail } from '../errors'

/** Replaces a credential in an answer. */
export const mask = '********'

type Leaf = string | number | boolean
type Config = Record<string, unknown>

/**
 * `apiKey`, `headers` and `credential` are credentials with everything inside (decisions, Providers). The others are
 * common names of secrets, so that no answer shows one.
 */
const credentialName = new RegExp(
  [
    '^(headers|auth|authorization|basicauth|bearer|cookies?|jwt|key|pass|pwd|token)$',
    '(secret|password|passwd|passphrase|credentials?)$',
    '(api|app|access|auth|client|encryption|master|private|secret|signing|subscription)keys?$',
    '(access|api|app|auth|bearer|client|id|oauth|personal|refresh|security|session|user)tokens?$',
  ].join('|'),
)

/** Tables by asset code: their keys are asset codes, never names of credentials. */
const tables = new Set(['rates', 'symbols'])

/** Deeper than any real config; a deeply nested body must not exhaust the stack. */
const maxDepth = 32

/** A copy of the config with `change` applied to every value inside a credential. */
export const mapCredentials = (config: Config, change: (value: Leaf, path: readonly string[]) => unknown): Config =>
  mapObject(config, { path: [], secret: false, plain: false }, change)

interface Place {
  path: readonly string[]
  secret: boolean
  plain: boolean
}

const mapObject = (config: object, at: Place, change: (value: Leaf, path: readonly string[]) => unknown): Config =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, mapValue(value, inside(at, name), change)]))

function mapValue(value: unknown, at: Place, change: (value: Leaf, path: readonly string[]) => unknown): unknown {
  if (at.path.length > maxDepth) {
    throw fail('CONFIG_INVALID', { message: `config must not be nested deeper than ${maxDepth} levels` })
  }
  if (Array.isArray(value)) return value.map((item, i) => mapValue(item, inside(at, String(i)), change))
  if (typeof value === 'object' && value !== null) return mapObject(value, at, change)
  return at.secret && value !== null ? change(value as Leaf, at.path) : value
}

const inside = ({ path, secret, plain }: Place, name: string): Place => ({
  path: [...path, name],
  secret: secret || (!plain && credentialName.test(name.toLowerCase().replace(/[-_ ]/g, ''))),
  plain: plain || (path.length === 0 && tables.has(name)),
})

/** The config as the API returns it: every credential masked. */
export const masked = (config: Config): Config => mapCredentials(config, () => mask)

/** Whether there is a credential in the config. */
export function hasCredentials(config: Config): boolean {
  let found = false
  mapCredentials(config, () => {
    found = true
  })
  return found
}

/** The value at a path of a config; undefined when there is none. */
export function valueAt(config: unknown, path: readonly string[]): unknown {
  let value = config
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Config)[name]
  }
  return value
}
