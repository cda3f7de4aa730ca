import { noSiblings, type Siblings } from '@bursar/http'

/** The kinds of work, by network; '' for work without one. */
export type Work = 'sends' | 'transfers' | 'orders'

/** Lets producers of work wake its workers, those of the service's other instances too. */
export interface Wakes {
  wake(work: Work, network?: string): void
  /** Calls back at each wake. */
  on(work: Work, listener: (network: string) => void): void
}

export function createWakes(siblings: Siblings = noSiblings): Wakes {
  const listeners = new Map<Work, ((network: string) => void)[]>()
  return {
    wake(work, network = '') {
      for (const listener of listeners.get(work) ?? []) listener(network)
      siblings.tell(work, network)
    },
    on(work, listener) {
      listeners.set(work, [...(listeners.get(work) ?? []), listener])
      siblings.on(work, listener)
    },
  }
}
