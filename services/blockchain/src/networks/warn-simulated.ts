import type { BlockchainDeps } from '../deps'

/**
 * Says at the start where simulated networks stand beside real ones: whoever reaches this service may pay in on them.
 */
export function warnOfSimulated({ networks, config, log }: BlockchainDeps): void {
  const real = networks.named.filter(({ kind }) => kind !== 'simulated').map(({ name }) => name)
  if (!config.simulated || real.length === 0) return
  const simulated = networks.named.filter(({ kind }) => kind === 'simulated').map(({ name }) => name)
  log.warn({ real, simulated }, 'Networks are simulated beside real ones: set NETWORKS_SIMULATED=off for production')
}
