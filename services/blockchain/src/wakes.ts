/** The kinds of work, by network; '' for work without one. */
export type Work = 'sends' | 'transfers' | 'orders'

/** Lets producers of work wake its workers. */
export interface Wakes {
  wake(work: Work, network?: string): void
  /** Calls back at each wake. */
  on(work: Work, listener: (network: string) => void): void
}

export function createWakes(): Wakes {
  const listeners = new Map<Work, ((network: string) => void)[]>()
  return {
    wake(work, network = '') {
      for (const listener of listeners.get(work) ?? []) listener(network)
    },
    on: (work, listener) => void listeners.set(work, [...(listeners.get(work) ?? []), listener]),
  }
}
