import type { Sender } from './queue'

type Key = Pick<Sender, 'id'>

/**
 * How many orders of each sender get their attempts together. Half as many after a failure, for a node may be too slow
 * for so many questions at once; twice as many again after a success. Forgotten with the process.
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
