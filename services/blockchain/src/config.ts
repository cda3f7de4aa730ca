import {
  ConfigError,
  type Environment,
  environment,
  integerSetting,
  type ServiceConfig,
  serviceConfig,
  wordSetting,
} from '@bursar/http'
import { readTokens, type SeedToken } from './networks/built-in-tokens'
import type { NetworkSettings } from './networks/network'

/** The blockchain service's settings. */
export interface Config extends ServiceConfig {
  /** The named networks; any other name is a simulated one. */
  readonly networks: readonly NetworkSettings[]
  /** Whether a network without an RPC URL is simulated; else it is an error. */
  readonly simulated: boolean
  readonly simulatedConfirmations: number
  /** Tokens that are registered at the start. */
  readonly tokens: readonly SeedToken[]
  /** By a token's code in upper case: deposits below this decimal amount are recorded and not published. */
  readonly dust: ReadonlyMap<string, string>
  /** By network: the address for withdrawn tokens that are paid out by bank. */
  readonly redemption: ReadonlyMap<string, string>
}

/** Reads the environment. Throws ConfigError naming the variable that cannot be used. */
export const config = (env: Environment = environment()): Config => {
  const simulatedConfirmations = integerSetting(env, 'SIMULATED_CONFIRMATIONS', { fallback: 1, ...blocks })
  const networks = [
    evm('ethereum', urls(env, 'ETHEREUM_RPC_URLS'), {
      chainId: integerSetting(env, 'ETHEREUM_CHAIN_ID', { fallback: 1, ...chainIds }),
      confirmations: integerSetting(env, 'ETHEREUM_CONFIRMATIONS', { fallback: 12, ...blocks }),
    }),
    evm('polygon', urls(env, 'POLYGON_RPC_URLS'), {
      chainId: integerSetting(env, 'POLYGON_CHAIN_ID', { fallback: 137, ...chainIds }),
      confirmations: integerSetting(env, 'POLYGON_CONFIRMATIONS', { fallback: 128, ...blocks }),
      nativeCode: 'POL',
    }),
    evm('base', urls(env, 'BASE_RPC_URLS'), {
      chainId: integerSetting(env, 'BASE_CHAIN_ID', { fallback: 8453, ...chainIds }),
      confirmations: integerSetting(env, 'BASE_CONFIRMATIONS', { fallback: 12, ...blocks }),
    }),
    evm('arbitrum', urls(env, 'ARBITRUM_RPC_URLS'), {
      chainId: integerSetting(env, 'ARBITRUM_CHAIN_ID', { fallback: 42_161, ...chainIds }),
      confirmations: integerSetting(env, 'ARBITRUM_CONFIRMATIONS', { fallback: 12, ...blocks }),
    }),
    solana(urls(env, 'SOLANA_RPC_URLS'), env.SOLANA_GENESIS_HASH || mainnetGenesis),
  ]
  requireDifferent(networks)
  const stuckAfterMs = integerSetting(env, 'STUCK_AFTER_SECONDS', { fallback: 180, minimum: 1, maximum: 86_400 }) * 1000
  const pollMs = integerSetting(env, 'NETWORK_POLL_MS', { fallback: 2000, minimum: 10, maximum: 60_000 })
  const timeoutMs = integerSetting(env, 'NODE_TIMEOUT_MS', { fallback: 10_000, minimum: 50, maximum: 60_000 })
  const balanceWatch = integerSetting(env, 'EVM_BALANCE_WATCH', { fallback: 100, minimum: 0, maximum: 10_000 })
  return {
    ...serviceConfig(env, 'blockchain'),
    networks: networks.map((network) => ({ ...network, stuckAfterMs, pollMs, timeoutMs, balanceWatch })),
    simulated: wordSetting(env, 'NETWORKS_SIMULATED', ['on', 'off'], 'on') === 'on',
    simulatedConfirmations,
    tokens: readTokens(env.BLOCKCHAIN_TOKENS),
    dust: pairs(env, 'DEPOSIT_DUST', /^\d+(\.\d+)?$/, (name) => name.toUpperCase()),
    redemption: pairs(env, 'REDEMPTION_ADDRESSES', /^\S{1,128}$/, (name) => name.toLowerCase()),
  }
}

const blocks = { minimum: 1, maximum: 10_000 }
const chainIds = { minimum: 1, maximum: 2 ** 40 }
const mainnetGenesis = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'

/** What is paid on one chain would be credited on each network that has it: the addresses are the same. */
function requireDifferent(networks: readonly Named[]): void {
  const followed = networks.filter(({ rpcUrls }) => rpcUrls.length > 0)
  for (const [identity, [first, second]] of Map.groupBy(followed, (network) => network.identity)) {
    if (first && second) throw new ConfigError(`${first.name} and ${second.name} are both the chain ${identity}`)
  }
}

type Named = Omit<NetworkSettings, 'pollMs' | 'stuckAfterMs' | 'timeoutMs'>

const evm = (
  name: string,
  rpcUrls: string[],
  { chainId, confirmations, nativeCode = 'ETH' }: { chainId: number; confirmations: number; nativeCode?: string },
): Named => ({
  name,
  kind: rpcUrls.length > 0 ? 'evm' : 'simulated',
  form: 'evm',
  chainId,
  identity: String(chainId),
  nativeCode,
  nativeDecimals: 18,
  confirmations,
  rpcUrls,
})

const solana = (rpcUrls: string[], identity: string): Named => ({
  name: 'solana',
  kind: rpcUrls.length > 0 ? 'solana' : 'simulated',
  form: 'solana',
  chainId: null,
  identity,
  nativeCode: 'SOL',
  nativeDecimals: 9,
  confirmations: 1,
  rpcUrls,
})

/** URLs, separated by commas: the first one that answers is used. */
function urls(env: Environment, name: string): string[] {
  const list = (env[name] ?? '').split(',').flatMap((url) => url.trim() || [])
  for (const url of list) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new ConfigError(`${name} must hold http or https URLs, separated by commas`)
    }
  }
  return list
}

/** `name:value` pairs, separated by commas. */
function pairs(
  env: Environment,
  name: string,
  value: RegExp,
  fold: (name: string) => string,
): ReadonlyMap<string, string> {
  const entries = (env[name] ?? '').split(',').flatMap((entry) => entry.trim() || [])
  return new Map(
    entries.map((entry) => {
      const [, key, rest = ''] = /^([^:\s]+):(.+)$/.exec(entry) ?? []
      if (!key || !value.test(rest)) throw new ConfigError(`${name}: "${entry}" is not of the form name:value`)
      return [fold(key), rest]
    }),
  )
}
