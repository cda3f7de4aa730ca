import { sha256 } from '../secrets/sha256'
import type { ServiceConfig } from '../settings/config'

type Environment = ServiceConfig['environment']

/** What an API key begins with (decisions, Who may call 8). */
export const apiKeyPrefixes: Readonly<Record<Environment, string>> = { production: 'sk_live_', sandbox: 'sk_test_' }

/** False for a key of the other environment; keys of another form have none. */
export const isOfEnvironment = (key: string, environment: Environment): boolean =>
  !Object.entries(apiKeyPrefixes).some(([other, prefix]) => other !== environment && key.startsWith(prefix))

/** SHA-256, hexadecimal: what services look an API key up by, at each other too. */
export const apiKeyHash = (key: string): string => sha256(key)
