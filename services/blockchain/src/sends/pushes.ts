/** When each sender's waiting transactions were handed over last. Forgotten with the process: then they are once more. */
export interface Pushes {
  isDue(network: string, sender: string, everyMs: number): boolean
  done(network: string, sender: string): void
  /** Something failed: a node may have lost what it had. */
  forget(network: string, sender: string): void
}

export function createPushes(): Pushes {
  const last = new Map<string, number>()
  const keyOf = (network: string, sender: string) => `${network} ${sender}`
  return {
    isDue(network, sender, everyMs) {
      const at = last.get(keyOf(network, sender))
      return at === undefined || performance.now() - at >= everyMs
    },
    done: (network, sender) => void last.set(keyOf(network, sender), performance.now()),
    forget: (network, sender) => void last.delete(keyOf(network, sender)),
  }
}
