import { allowedBy, requireOwn } from '../access/authorise'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { countByAccount, countByAddress } from '../limits/count-attempt'
import type { Attempt } from '../limits/policies'
import { type Admitted, admit, type Passage } from './admit'
import { completeHeaders } from './answer-headers'
import { bodyOf, mostBytesOf, refuseTooLarge } from './body-limits'
import { countedAddress } from './caller-address'
import { forward } from './forward'
import { isHeavy, isStream } from './heavy'
import { openBridge, type Upgrade, wantsSocket } from './sockets'
import { whenOver } from './when-over'

/**
 * Passes a request on to its service, and the answer back; null for one that has become a WebSocket. Fails with what the
 * gateway itself refuses.
 */
export async function pass(deps: GatewayDeps, passage: Passage, upgrade: Upgrade): Promise<Response | null> {
  const { request, target, address } = passage
  const most = mostBytesOf(target, request.method)
  refuseTooLarge(request, most)
  const attempt = deps.policies.attemptOf(target, request.method)
  if (attempt) await countByAddress(deps, attempt, countedAddress(address))
  const admitted = await admit(deps, passage)
  const release = slotFor(deps, passage, admitted)
  try {
    if (isStream(target) && wantsSocket(request)) return await bridge(deps, passage, admitted, { upgrade, release })
    const answer = await ask(deps, passage, admitted, { most, attempt })
    completeHeaders(answer.headers, { 'x-request-id': passage.context.id, ...admitted.limitHeaders })
    return release ? whenOver(answer, release) : answer
  } catch (error) {
    release?.()
    throw error
  }
}

/** Takes a place where only some requests of a caller may be under way. Fails (429). */
function slotFor(deps: GatewayDeps, { request, target }: Passage, { counted }: Admitted): (() => void) | undefined {
  if (isStream(target)) return deps.streamSlots.take(counted)
  return isHeavy(target, request.method) ? deps.listSlots.take(counted) : undefined
}

async function bridge(
  { config }: GatewayDeps,
  { request, target }: Passage,
  { url, headers, caller }: Admitted,
  { upgrade, release = () => {} }: { upgrade: Upgrade; release: (() => void) | undefined },
): Promise<null> {
  // What a stream shows is cut down to nobody's own: it is for those who may see all of it.
  if (config.authorization === 'roles' && allowedBy(target, 'GET', caller)) throw fail('FORBIDDEN')
  const place = { url, headers, service: target.service, timeoutMs: config.upstreamTimeoutMs }
  const opened = await openBridge(place, release)
  if (upgrade(request, opened)) return null
  opened.upstream.close()
  throw fail('INVALID_REQUEST', { message: 'The request to open a WebSocket is not whole' })
}

/** Reads what must be known of the body, and asks the service. */
async function ask(
  deps: GatewayDeps,
  { request, target }: Passage,
  { url, headers, caller }: Admitted,
  { most, attempt }: { most: number; attempt: Attempt | null },
): Promise<Response> {
  const onlyOwn = deps.config.authorization === 'roles' ? allowedBy(target, request.method, caller) : null
  const body = await bodyOf(request, most, { whole: onlyOwn?.needsBody === true || attempt?.byAccount === true })
  const read = body.content instanceof Uint8Array ? body.content : null
  if (onlyOwn) await requireOwn(deps.owners, onlyOwn, { query: target.query, body: read })
  if (attempt?.byAccount && read) await countByAccount(deps, attempt, read)
  return await forward({
    service: target.service,
    url,
    method: request.method,
    headers,
    body,
    signal: request.signal,
    timeoutMs: deps.config.upstreamTimeoutMs,
  })
}
