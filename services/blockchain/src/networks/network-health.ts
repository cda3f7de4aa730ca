import { type Checks, type Health, plainHealth, type Waits } from '@bursar/http'
import type { Config } from '../config'
import type { BlockchainDeps } from '../deps'
import type { NetworkSettings } from './network'
import type { NodeReport } from './node-report'

/**
 * The common health, and the state of each network: `simulated`, `off` (no RPC URL, and NETWORKS_SIMULATED=off), `ok`,
 * or the problem of its nodes. An unreachable network does not make the service unhealthy: the others continue.
 */
export function networkHealth(config: Config, report: NodeReport, checks: Checks, waits: Waits): Health {
  const plain = plainHealth(config.name, config.version, checks, waits)
  const stateOf = ({ name, kind }: NetworkSettings): string => {
    if (kind === 'simulated') return config.simulated ? 'simulated' : 'off'
    return report.of(name) ?? 'ok'
  }
  return {
    read: plain.read,
    body: (result) => ({
      ...plain.body(result),
      networks: Object.fromEntries(config.networks.map((network) => [network.name, stateOf(network)])),
    }),
  }
}

/** Warns at the start when networks are simulated beside real ones: anybody with access may pay in on them. */
export function warnOfSimulated({ networks, config, log }: Pick<BlockchainDeps, 'networks' | 'config' | 'log'>): void {
  const real = networks.named.filter(({ kind }) => kind !== 'simulated').map(({ name }) => name)
  if (!config.simulated || real.length === 0) return
  const simulated = networks.named.filter(({ kind }) => kind === 'simulated').map(({ name }) => name)
  log.warn({ real, simulated }, 'Networks are simulated beside real ones: set NETWORKS_SIMULATED=off for production')
}
