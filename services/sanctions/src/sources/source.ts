import type { ScreeningSource } from '@bursar/contracts/sanctions'
import { fail } from '../errors'

/** A source of verdicts on addresses, besides the list. */
export interface Source {
  readonly provider: string
  /** Whether it answers without leaving this process, so that a commit may ask it. */
  readonly isHere: boolean
  /** Whether it supports this form of address. */
  covers(address: string): boolean
  /** Its answer. Rejects (`unavailable`) when it has none: a failure never means "no match". */
  ask(address: string): Promise<Omit<ScreeningSource, 'provider'>>
}

/** The error (503) of a source that has no answer; the reason follows the provider's name. */
export const unavailable = (provider: string, reason: string, cause?: unknown) =>
  fail('SOURCE_UNAVAILABLE', { message: `${provider} cannot be asked right now: ${reason}`, cause })
