import type { ScreeningSource } from '@bursar/contracts/sanctions'
import { fail } from '../errors'

/** Somebody who is asked about an address, besides the list. */
export interface Source {
  readonly provider: string
  /** Whether it can say anything of such an address. */
  covers(address: string): boolean
  /** Its answer. Rejects (`unavailable`) when it has none: that is never "no match". */
  ask(address: string): Promise<Omit<ScreeningSource, 'provider'>>
}

/** The error (503) of a source that has no answer; the reason stands behind the provider's name. */
export const unavailable = (provider: string, reason: string, cause?: unknown) =>
  fail('SOURCE_UNAVAILABLE', { message: `${provider} cannot be asked right now: ${reason}`, cause })
