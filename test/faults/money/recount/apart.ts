// Recounts in a thread of its own: the services' calls go through this process's proxies, and would wait for it.
import type { Finding } from './finding'
import type { Knowledge } from './state'

/** What the thread is told; all of it can be cloned. */
export interface Ground {
  /** The database file of each service. */
  files: Record<string, string>
  nodeUrl: string
  token: string
  knowledge: Knowledge
}
export type Outcome = { findings: Finding[] } | { error: string }

export interface Recounter {
  recount(ground: Ground): Promise<Finding[]>
  end(): void
}

/** One recount at a time. The thread remembers the blocks that it has read. */
export function newRecounter(): Recounter {
  const thread = new Worker(new URL('./thread.ts', import.meta.url))
  return {
    async recount(ground) {
      const outcome = await new Promise<Outcome>((resolve, reject) => {
        thread.onmessage = ({ data }: MessageEvent<Outcome>) => resolve(data)
        thread.onerror = ({ message }) => reject(new Error(message))
        thread.postMessage(ground)
      })
      if ('error' in outcome) throw new Error(outcome.error)
      return outcome.findings
    },
    end: () => thread.terminate(),
  }
}
