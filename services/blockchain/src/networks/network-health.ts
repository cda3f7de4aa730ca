import { type Checks, type Health, plainHealth } from '@bursar/http'
import type { Config } from '../config'
import type { NetworkSettings } from './network'
import type { NodeReport } from './node-report'

/**
 * The common health, and how each network is carried: `simulated`, `off` (no RPC URL, and NETWORKS_SIMULATED=off), `ok`,
 * or what is wrong with its nodes. A network that is away does not make the service unhealthy: the others go on.
 */
export function networkHealth(config: Config, report: NodeReport, checks: Checks): Health {
  const plain = plainHealth(config.name, config.version, checks)
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
