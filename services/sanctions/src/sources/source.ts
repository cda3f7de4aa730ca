import type { ScreeningSource } from '@bursar/contracts/sanctions'
import { type Outbound, OutboundError, type OutboundRequest } from '@bursar/http/outbound'
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

/** The JSON of a source's 200 response. Fails (`unavailable`) for anything else. */
export async function askOutside(
  outbound: Outbound,
  provider: string,
  url: string,
  request: OutboundRequest,
): Promise<unknown> {
  const answer = await outbound.request(url, { maxRedirects: 0, ...request }).catch((error: unknown) => {
    throw unavailable(provider, error instanceof OutboundError ? error.message : 'the request failed', error)
  })
  if (answer.status !== 200) throw unavailable(provider, `it answered ${answer.status}`)
  try {
    return JSON.parse(answer.text)
  } catch (error) {
    throw unavailable(provider, 'its answer is not JSON', error)
  }
}

/** For integration tests: an address that ends in 9999 is sanctioned (decisions, Screening sources). */
export const sandboxSource: Source = {
  provider: 'sandbox',
  isHere: true,
  covers: () => true,
  ask: async (address) => ({
    match: address.endsWith('9999'),
    details: { rule: 'In the sandbox an address that ends in 9999 is sanctioned' },
  }),
}
