import type { Sender } from './queue'

type Key = Pick<Sender, 'id'>

/** What passes over the senders' queues remember. In memory only: after a restart all is broadcast again. */
export interface SenderMemory {
  /** The number of a sender's orders that get their attempts together. */
  batchOf(sender: Key): number
  /** Doubles that number. */
  drafted(sender: Key): void
  /** Halves it: a node may be too slow for the requests of as many as were tried. */
  notDrafted(sender: Key, tried: number): void
  /** Whether its pending transactions were not broadcast for so long. */
  isPushDue(sender: Key, everyMs: number): boolean
  pushed(sender: Key): void
  /** After a failure: a node may have lost its transactions. */
  forgetPush(sender: Key): void
}

/** The maximum number of orders that get their attempts together: their signatures are requested in parallel. */
const mostTogether = 100
/** Every address that has ever paid is a sender: beyond this number what is remembered of them is forgotten. */
const mostSenders = 10_000

export function createSenderMemory(): SenderMemory {
  const sizes = new Map<string, number>()
  const pushes = new Map<string, number>()
  const batchOf = ({ id }: Key) => sizes.get(id) ?? mostTogether
  return {
    batchOf,
    drafted(sender) {
      const next = batchOf(sender) * 2
      if (next < mostTogether) sizes.set(sender.id, next)
      else sizes.delete(sender.id)
    },
    notDrafted({ id }, tried) {
      if (sizes.size >= mostSenders) sizes.clear()
      sizes.set(id, Math.max(1, Math.floor(tried / 2)))
    },
    isPushDue({ id }, everyMs) {
      const at = pushes.get(id)
      return at === undefined || performance.now() - at >= everyMs
    },
    pushed({ id }) {
      if (pushes.size >= mostSenders) pushes.clear()
      pushes.set(id, performance.now())
    },
    forgetPush: ({ id }) => void pushes.delete(id),
  }
}
