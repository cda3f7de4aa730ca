import type { Sender } from './queue'

type Key = Pick<Sender, 'id'>

/**
 * The number of a sender's orders that get their attempts together. Halved after a failure, since a node may be too
 * slow for that many requests; doubled after a success. In memory only.
 */
export interface BatchSizes {
  of(sender: Key): number
  failed(sender: Key, tried: number): void
  succeeded(sender: Key): void
}

export function createBatchSizes(most: number): BatchSizes {
  const sizes = new Map<string, number>()
  const of = ({ id }: Key) => sizes.get(id) ?? most
  return {
    of,
    failed: ({ id }, tried) => void sizes.set(id, Math.max(1, Math.floor(tried / 2))),
    succeeded(sender) {
      const next = of(sender) * 2
      if (next < most) sizes.set(sender.id, next)
      else sizes.delete(sender.id)
    },
  }
}
