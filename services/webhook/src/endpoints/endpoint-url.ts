import { type CheckedOutbound, OutboundError } from '@bursar/http/outbound'
import { fail } from '../errors'

/** How long its host's name may take. */
const timeoutMs = 5000

/**
 * Refuses (400) a URL that is none or leads to an address that is not public. A host that cannot be found now may be
 * there later: every attempt looks again.
 */
export async function checkEndpointUrl(outbound: CheckedOutbound, url: string): Promise<void> {
  try {
    await outbound.check(url, { timeoutMs })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.reason === 'blocked') throw refusal(`url: ${error.message}`)
    if (error.reason === 'invalid-url') throw refusal(error.message.replace('The URL', 'url'))
  }
}

const refusal = (message: string) => fail('URL_REFUSED', { fields: [{ field: 'url', message }] })
