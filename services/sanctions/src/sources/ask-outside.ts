import { type Outbound, OutboundError, type OutboundRequest } from '@bursar/http/outbound'
import { unavailable } from './source'

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
