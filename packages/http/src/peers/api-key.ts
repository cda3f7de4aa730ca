import { sha256 } from '../secrets/sha256'
import type { ServiceConfig } from '../settings/config'

type Environment = ServiceConfig['environment']

/** The prefix of API keys by environment (decisions, Who may call 8). */
export const apiKeyPrefixes: Readonly<Record<Environment, string>> = { production: 'sk_live_', sandbox: 'sk_test_' }

/** False for a key of the other environment; keys of another form have none. */
export const isOfEnvironment = (key: string, environment: Environment): boolean =>
  !Object.entries(apiKeyPrefixes).some(([other, prefix]) => other !== environment && key.startsWith(prefix))

/** SHA-256, hexadecimal: the form in which services look up API keys, also at each other. */
export const apiKeyHash = (key: string): string => sha256(key)
