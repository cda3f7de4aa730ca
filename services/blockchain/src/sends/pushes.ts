import type { Sender } from './queue'

type Key = Pick<Sender, 'id'>

/** When each sender's pending transactions were last broadcast. In memory: after a restart they are broadcast again. */
export interface Pushes {
  isDue(sender: Key, everyMs: number): boolean
  done(sender: Key): void
  /** After a failure: a node may have lost its transactions. */
  forget(sender: Key): void
}

export function createPushes(): Pushes {
  const last = new Map<string, number>()
  return {
    isDue({ id }, everyMs) {
      const at = last.get(id)
      return at === undefined || performance.now() - at >= everyMs
    },
    done: ({ id }) => void last.set(id, performance.now()),
    forget: ({ id }) => void last.delete(id),
  }
}
