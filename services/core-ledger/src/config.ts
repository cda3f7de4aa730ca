import { messageOf } from '@bursar/contracts/log'
import {
  addressList,
  ConfigError,
  type Environment,
  environment,
  integerSetting,
  listSetting,
  type ServiceConfig,
  serviceConfig,
  wordSetting,
} from '@bursar/http'
import { Webhook } from 'standardwebhooks'

export interface Config extends ServiceConfig {
  /** Who screens new transactions: whoever calls complete-screening, or the sanctions service. */
  readonly screening: 'external' | 'sanctions'
  /** The secret with which screening results must be signed (Standard Webhooks); undefined accepts unsigned ones. */
  readonly screeningSecret: string | undefined
  /** Addresses and networks (CIDR) from which screening results are accepted; empty accepts any. */
  readonly screeningAllow: readonly string[]
  /** Whether a ledger that is not the one that was sealed last starts new books, instead of moving no money. */
  readonly newBooks: boolean
  /** Whether withdrawals of an asset wait while less of it is on its chain than the ledger owes. */
  readonly solvencyGate: boolean
  /** FOUR_EYES_USD: a frozen transaction of at least this value needs two persons; undefined for no limit. */
  readonly fourEyesUsd: number | undefined
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => withDefaults(env, serviceConfig(env, 'core-ledger'))

const withDefaults = (env: Environment, common: ServiceConfig): Config => ({
  ...common,
  solvencyGate:
    wordSetting(env, 'SOLVENCY_GATE', ['on', 'off'], common.environment === 'production' ? 'on' : 'off') === 'on',
  newBooks: wordSetting(env, 'NEW_BOOKS', ['no', 'yes'], 'no') === 'yes',
  fourEyesUsd: env.FOUR_EYES_USD
    ? integerSetting(env, 'FOUR_EYES_USD', { fallback: 0, minimum: 0, maximum: 1_000_000_000_000 })
    : undefined,
  screening: wordSetting(env, 'SCREENING', ['external', 'sanctions'], 'external'),
  screeningSecret: usable(env.SCREENING_SECRET || undefined),
  screeningAllow: addresses(listSetting(env, 'SCREENING_ALLOW')),
})

function usable(secret: string | undefined): string | undefined {
  try {
    if (secret !== undefined) new Webhook(secret)
    return secret
  } catch {
    throw new ConfigError('SCREENING_SECRET must be a secret of Standard Webhooks: base64, with or without whsec_')
  }
}

function addresses(entries: string[]): string[] {
  try {
    addressList(entries)
    return entries
  } catch (error) {
    throw new ConfigError(`SCREENING_ALLOW: ${messageOf(error)}`)
  }
}
