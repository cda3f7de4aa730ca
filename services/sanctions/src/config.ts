import {
  ConfigError,
  type Environment,
  environment,
  integerSetting,
  type ServiceConfig,
  serviceConfig,
  wordSetting,
} from '@bursar/http'
import { parseAllowList } from '@bursar/http/outbound'

/** The sanctions service's settings. */
export interface Config extends ServiceConfig {
  /** Treats an address that ends in 9999 as sanctioned (decisions, Screening sources). */
  readonly sandbox: boolean
  /** Who screens the core ledger's transactions. */
  readonly screening: 'external' | 'sanctions'
  /** The fallback URL for results without an endpoint; undefined: they are not delivered. */
  readonly callbackUrl: string | undefined
  /** Chainalysis' public API; undefined: not used. */
  readonly chainalysis: { readonly url: string; readonly apiKey: string } | undefined
  /** Chainalysis' on-chain oracle and the EVM node to query it; undefined: not used. */
  readonly oracle: { readonly rpcUrl: string; readonly address: string } | undefined
  /** The timeout of a source, in milliseconds. */
  readonly sourceTimeoutMs: number
  readonly outboundAllow: readonly string[]
}

const oracleContract = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb'

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => ({
  ...serviceConfig(env, 'sanctions'),
  sandbox:
    wordSetting(env, 'SANCTIONS_SANDBOX', ['on', 'off'], env.ENVIRONMENT === 'production' ? 'off' : 'on') === 'on',
  screening: wordSetting(env, 'SCREENING', ['external', 'sanctions'], 'external'),
  callbackUrl: urlSetting(env, 'SANCTIONS_CALLBACK_URL'),
  chainalysis: chainalysis(env),
  oracle: oracle(env),
  sourceTimeoutMs: integerSetting(env, 'SANCTIONS_SOURCE_TIMEOUT_MS', {
    fallback: 5000,
    minimum: 100,
    maximum: 20_000,
  }),
  outboundAllow: parseAllowList(env.OUTBOUND_ALLOW),
})

function chainalysis(env: Environment): Config['chainalysis'] {
  const url = urlSetting(env, 'CHAINALYSIS_URL') ?? 'https://public.chainalysis.com'
  const apiKey = env.CHAINALYSIS_API_KEY
  if (!apiKey) return undefined
  // It is sent in a header, which takes nothing else.
  if (!/^[!-~]+$/.test(apiKey)) {
    throw new ConfigError('CHAINALYSIS_API_KEY must have visible ASCII characters only, and no spaces')
  }
  return { url: url.replace(/\/+$/, ''), apiKey }
}

function oracle(env: Environment): Config['oracle'] {
  const rpcUrl = urlSetting(env, 'CHAINALYSIS_ORACLE_RPC_URL')
  const address = env.CHAINALYSIS_ORACLE_ADDRESS || oracleContract
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw new ConfigError('CHAINALYSIS_ORACLE_ADDRESS must be an EVM address')
  return rpcUrl === undefined ? undefined : { rpcUrl, address }
}

function urlSetting(env: Environment, name: string): string | undefined {
  const text = env[name]
  if (!text) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new ConfigError(`${name} must be an http or https URL`)
}
