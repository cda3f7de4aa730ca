import type { Address } from './procfile'
import { answerMs } from './ready'

/** What a service's health says. */
export interface Health {
  /** `waits`: it works, and something waits for a person. */
  state: 'ok' | 'waits' | 'fails' | 'down'
  /** What fails; null for nothing. */
  error: string | null
  /** Sentences about work that needs a person. */
  waiting: string[]
}

/** Asks a service; it is `down` when it does not answer, or not with JSON. */
export async function readHealth({ url }: Pick<Address, 'url'>): Promise<Health> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(answerMs) })
    const body = (await answer.json()) as { error?: unknown; waiting?: unknown }
    const waiting = (Array.isArray(body.waiting) ? body.waiting : []).map(String)
    const error = typeof body.error === 'string' ? body.error : null
    if (!answer.ok) return { state: 'fails', error: error ?? (await reasonOf(url)), waiting }
    return { state: waiting.length > 0 ? 'waits' : 'ok', error, waiting }
  } catch {
    return { state: 'down', error: null, waiting: [] }
  }
}

/** The log tracker's health says which of its checks failed, and not why. */
async function reasonOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(answerMs) })
  const { error } = (await answer.json()) as { error?: unknown }
  return typeof error === 'string' ? error : 'it says no reason: look at its log'
}
