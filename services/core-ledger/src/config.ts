import { type Environment, type ServiceConfig, serviceConfig, wordSetting } from '@bursar/http'

/** The core ledger's settings. */
export interface Config extends ServiceConfig {
  /** Who screens new transactions: whoever calls complete-screening. */
  readonly screening: 'external'
  /** Screening results must be signed with it (Standard Webhooks); undefined takes them unsigned. */
  readonly screeningSecret: string | undefined
  /** Addresses and networks (CIDR) that screening results are taken from; empty takes them from any. */
  readonly screeningAllow: readonly string[]
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = process.env): Config => ({
  ...serviceConfig(env, 'core-ledger'),
  screening: wordSetting(env, 'SCREENING', ['external'], 'external'),
  screeningSecret: env.SCREENING_SECRET || undefined,
  screeningAllow: (env.SCREENING_ALLOW ?? '').split(/[\s,]+/).filter((entry) => entry !== ''),
})
