import type { Sender } from './queue'

type Key = Pick<Sender, 'id'>

/** When each sender's waiting transactions were handed over last. Forgotten with the process: then they are once more. */
export interface Pushes {
  isDue(sender: Key, everyMs: number): boolean
  done(sender: Key): void
  /** Something failed: a node may have lost what it had. */
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
