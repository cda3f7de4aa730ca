import type { Fate, Outcome } from './network'

/** The fate of a signed transaction that is in a block; null for one that is in none. */
export function fateBy(outcome: Outcome): Fate | null {
  if (outcome.is === 'absent') return null
  if (outcome.is === 'included') return { fate: 'open', reason: 'It is in a block that is not final' }
  return outcome.is === 'confirmed' ? { fate: 'final', reason: null } : { fate: 'reverted', reason: outcome.reason }
}
