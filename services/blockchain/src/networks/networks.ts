import { networkName, networkNameRule } from '@bursar/contracts/network-name'
import type { OpenStore } from '@bursar/store'
import type { Config } from '../config'
import { fail, invalid } from '../errors'
import type { InnerMethods } from './inner-methods'
import type { Chain, NetworkSettings, RecordedTaker } from './network'
import type { NodeReport } from './node-report'

/** The networks of this deployment. */
export interface Networks {
  /** The named networks. */
  readonly named: readonly NetworkSettings[]
  /** A network by its case-insensitive name; null when there is none. */
  find(name: string): NetworkSettings | null
  /** False without an RPC URL when simulation is off. */
  isUsable(name: string): boolean
  /** The names of the named networks that can be used. */
  usable(): string[]
  /** Resolves when the networks' coins and the tokens of the settings are known. */
  ready(): Promise<void>
  /** Opens a network: its library is loaded at the first call. Fails for one that cannot be used. */
  open(name: string): Promise<Chain>
}

interface NetworksDeps {
  config: Config
  store: OpenStore
  report: NodeReport
  /** Registers the coins of networks, and the tokens of the settings on them. */
  seed(networks: readonly NetworkSettings[]): Promise<void>
  /** By a network's name. */
  recorded(network: string): RecordedTaker
  methods: InnerMethods
  /** The clock for blocks of simulated networks. */
  clock: () => Date
}

export function createNetworks({ config, store, report, seed, recorded, methods, clock }: NetworksDeps): Networks {
  const named = config.networks.map((network) => asUsed(network, config))
  let seeding: Promise<void> | undefined
  const opened = new Map<string, Promise<Chain>>()

  function find(name: string): NetworkSettings | null {
    const folded = networkName(name)
    const known = named.find((network) => network.name === folded)
    if (known) return known
    return config.simulated && folded !== null ? unnamed(folded, config) : null
  }

  function isUsable(name: string): boolean {
    const settings = find(name)
    return settings !== null && (settings.kind !== 'simulated' || config.simulated)
  }

  function ready(): Promise<void> {
    seeding ??= seed(named)
    seeding.catch(() => {
      seeding = undefined
    })
    return seeding
  }

  async function load(settings: NetworkSettings): Promise<Chain> {
    await ready()
    if (settings.kind === 'evm') {
      const { createEvmChain } = await import('./evm/evm-chain')
      return createEvmChain(settings, report, { recorded: recorded(settings.name), methods })
    }
    if (settings.kind === 'solana') return (await import('./solana/solana-chain')).createSolanaChain(settings, report)
    if (!named.includes(settings)) await seed([settings])
    if (config.simulated) {
      const { createSimulatedChain } = await import('./simulated/simulated-chain')
      return createSimulatedChain(settings, store, clock)
    }
    throw fail('SERVICE_UNAVAILABLE', {
      message: `${settings.name} has no RPC URL (${settings.name.toUpperCase()}_RPC_URLS), and NETWORKS_SIMULATED is off`,
    })
  }

  /** What named ones know of signatures and agreements takes time to learn. */
  function forgetUnnamed(): void {
    const kept = new Set(named.map(({ name }) => name))
    for (const name of opened.keys()) if (!kept.has(name)) opened.delete(name)
  }

  return {
    named,
    find,
    isUsable,
    usable: () => named.map(({ name }) => name).filter(isUsable),
    ready,
    open(name) {
      const settings = find(name)
      if (!settings) return Promise.reject(noNetwork(name))
      const known = opened.get(settings.name)
      if (known) return known
      // Any name is a network: the cache must not grow with names that callers invent.
      if (opened.size >= mostOpened) forgetUnnamed()
      const loading = load(settings)
      opened.set(settings.name, loading)
      loading.catch(() => opened.delete(settings.name))
      return loading
    },
  }
}

const mostOpened = 1000

function noNetwork(name: string) {
  if (networkName(name) === null) return invalid('network', `must be ${networkNameRule}`)
  const message = `There is no network ${name} here`
  return fail('INVALID_REQUEST', { message, details: [{ field: 'network', message }] })
}

const asUsed = (network: NetworkSettings, config: Config): NetworkSettings =>
  network.kind === 'simulated' ? { ...network, confirmations: config.simulatedConfirmations } : network

/** Coins of networks that are always simulated. Others use their own name for their coin. */
const coins = new Map<string, [code: string, decimals: number]>([
  ['bitcoin', ['BTC', 8]],
  ['tron', ['TRX', 6]],
  ['avalanche', ['AVAX', 18]],
  ['bsc', ['BNB', 18]],
  ['optimism', ['ETH', 18]],
])

/** The polling interval of unnamed networks. */
export const unnamedPollMs = 2000

const unnamed = (name: string, config: Config): NetworkSettings => {
  const [nativeCode, nativeDecimals] = coins.get(name) ?? [name.toUpperCase(), 18]
  return {
    name,
    kind: 'simulated',
    form: 'free',
    chainId: null,
    identity: null,
    nativeCode,
    nativeDecimals,
    confirmations: config.simulatedConfirmations,
    rpcUrls: [],
    timeoutMs: 10_000,
    pollMs: unnamedPollMs,
    stuckAfterMs: 180_000,
  }
}
