import type { Lease } from './queue'

/**
 * How many orders of each sender get their attempts together. Half as many after a failure, for a node may be too slow
 * for so many questions at once; twice as many again after a success. Forgotten with the process.
 */
export interface BatchSizes {
  of(lease: Lease): number
  failed(lease: Lease, tried: number): void
  succeeded(lease: Lease): void
}

export function createBatchSizes(most: number): BatchSizes {
  const sizes = new Map<string, number>()
  const keyOf = ({ network, sender }: Lease) => `${network} ${sender}`
  const of = (lease: Lease) => sizes.get(keyOf(lease)) ?? most
  return {
    of,
    failed: (lease, tried) => void sizes.set(keyOf(lease), Math.max(1, Math.floor(tried / 2))),
    succeeded(lease) {
      const next = of(lease) * 2
      if (next < most) sizes.set(keyOf(lease), next)
      else sizes.delete(keyOf(lease))
    },
  }
}
