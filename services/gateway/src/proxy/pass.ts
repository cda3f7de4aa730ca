import { leaveLengthOpen, requireModest, sha256 } from '@bursar/http'
import { type Admitted, admit, type Passage } from '../access/admit'
import { allowedBy, requireOwn } from '../access/authorise'
import { fieldsOf, isJson } from '../access/read-answer'
import { stillHolds } from '../access/still-holds'
import { isAudited, noteRefusal, sendAct } from '../audit-trail/passing-acts'
import { isSignOn, noteSignOn } from '../audit-trail/sign-on'
import { requireReason } from '../console-sessions/require-reason'
import { requireStepUp } from '../console-sessions/require-step-up'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { countedAddress, countedSite } from '../front/caller-address'
import type { Attempt } from '../limits/policies'
import { completeHeaders } from './answer-headers'
import { type Body, bodyOf, isUpload, mostBytesOf, refuseTooLarge } from './body-limits'
import { forward } from './forward'
import { isHeavy, isStream } from './heavy'
import { endBridge, openBridge, type Upgrade, wantsSocket } from './sockets'
import { whenOver } from './when-over'

/**
 * Forwards a request to its service, and returns the answer; null for one that became a WebSocket. Fails with the
 * errors of the gateway itself.
 */
export async function pass(deps: GatewayDeps, passage: Passage, upgrade: Upgrade): Promise<Response | null> {
  const { request, target, address } = passage
  const most = mostBytesOf(target, request.method)
  refuseTooLarge(request, most)
  const attempt = deps.policies.attemptOf(target, request.method)
  if (attempt) await countAttempt(deps, attempt, address)
  const admitted = await admit(deps, passage)
  const slot = slotFor(deps, passage, admitted)
  const release = slot?.release
  try {
    if (isStream(target) && wantsSocket(request)) return await bridge(deps, passage, admitted, { upgrade, release })
    const answer = await ask(deps, passage, admitted, { most, attempt, ended: slot?.ended })
    if (isSignOn(target, request.method)) await noteSignOn(deps, passage, answer)
    completeHeaders(answer.headers, { 'x-request-id': passage.context.id, ...admitted.limitHeaders })
    const hasLength = answer.status === 204 || answer.headers.has('content-length')
    if (request.method === 'HEAD' && !hasLength) leaveLengthOpen(answer.headers)
    const whole = release ? whenOver(answer, release) : answer
    return isStream(target) && passage.session === null
      ? deps.openStreams.watch(holdsFor(deps, passage, admitted), whole)
      : whole
  } catch (error) {
    release?.()
    throw error
  }
}

/** Fails (429) when its address, or its site, has made too many. */
async function countAttempt({ rateLimits }: GatewayDeps, { policy, ofSite }: Attempt, address: string): Promise<void> {
  await rateLimits.take(`address:${countedAddress(address)}`, policy)
  const site = countedSite(address)
  if (site !== null) await rateLimits.take(`address:${site}`, ofSite)
}

/** A place among the requests of one kind. */
interface Slot {
  readonly release: () => void
  /** Aborts with the request, or when another one takes the place over. */
  readonly ended?: AbortSignal
}

/** Takes a slot for a request with limited concurrency. Fails (429). */
function slotFor(deps: GatewayDeps, { request, target }: Passage, { caller, counted }: Admitted): Slot | undefined {
  const { participantId } = caller
  if (isStream(target)) return { release: deps.streamSlots.take(counted, participantId) }
  if (isUpload(target, request.method)) {
    const late = new AbortController()
    const stop = () => late.abort(fail('SERVICE_UNAVAILABLE', { message: tookLong, headers: { 'retry-after': '1' } }))
    // Per institution, not per user or key: a slow upload occupies one of the main API's few.
    const release = deps.uploadSlots.take(participantId ?? counted, null, stop)
    return { release, ended: AbortSignal.any([request.signal, late.signal]) }
  }
  return isHeavy(target, request.method) ? { release: deps.listSlots.take(counted, participantId) } : undefined
}

const tookLong = 'The file came so slowly that others had to wait: send it again'

/** Whether a stream's caller may still read it; the console handles those of its sessions. */
function holdsFor({ credentials }: GatewayDeps, { request, target, address }: Passage, { caller }: Admitted) {
  // The request object is invalid once it has been answered.
  const headers = new Headers(request.headers)
  return () => stillHolds(credentials, { headers, target, caller, address })
}

async function bridge(
  deps: GatewayDeps,
  passage: Passage,
  admitted: Admitted,
  { upgrade, release = () => {} }: { upgrade: Upgrade; release: (() => void) | undefined },
): Promise<null> {
  const { request, target } = passage
  const { path, headers, caller } = admitted
  // Streams are not filtered by owner: only callers that may see everything may read them.
  if (isHeldToTable(deps, passage) && allowedBy(target, 'GET', caller)) throw fail('FORBIDDEN')
  const holds = holdsFor(deps, passage, admitted)
  const { addresses, upstreamTimeoutMs: timeoutMs } = deps.config
  const place = { addresses: addresses[target.service], path, headers, service: target.service, timeoutMs }
  const onEnd = { forget: () => {} }
  const opened = await openBridge(deps.restarts, place, () => {
    onEnd.forget()
    release()
  })
  onEnd.forget = deps.openStreams.add({ holds, stop: () => endBridge(opened) })
  if (upgrade(request, opened)) return null
  opened.upstream.close()
  throw fail('INVALID_REQUEST', { message: 'The request to open a WebSocket is incomplete' })
}

interface Limits {
  readonly most: number
  readonly attempt: Attempt | null
  readonly ended?: AbortSignal | undefined
}

/** Calls the service. Administrative actions are recorded in the audit trail. */
async function ask(deps: GatewayDeps, passage: Passage, admitted: Admitted, limits: Limits): Promise<Response> {
  const { request, target } = passage
  const isAct = isAudited(passage, admitted)
  const check = () => checked(deps, passage, admitted, { ...limits, isAct })
  const body = isAct ? await noteRefusal(deps, { passage, admitted }, check) : await check()
  const { path, headers } = admitted
  const send = () =>
    forward({
      service: target.service,
      restarts: deps.restarts,
      tracer: deps.tracer,
      addresses: deps.config.addresses[target.service],
      path,
      method: request.method,
      headers,
      body,
      signal: limits.ended ?? request.signal,
      timeoutMs: deps.config.upstreamTimeoutMs,
    })
  return isAct ? await sendAct(deps, { passage, admitted }, { body: readOf(body), send }) : await send()
}

/** Reads the fields of the body needed for the check, and returns the body to forward. Fails when the table refuses. */
async function checked(
  deps: GatewayDeps,
  passage: Passage,
  { caller }: Admitted,
  { most, attempt, isAct }: Limits & { isAct: boolean },
): Promise<Body> {
  const { request, target } = passage
  const onlyOwn = isHeldToTable(deps, passage) ? allowedBy(target, request.method, caller) : null
  const isRead = onlyOwn?.needsBody === true || attempt?.byAccount === true || (isAct && isJson(request.headers))
  const body = await bodyOf(request, most, { whole: isRead })
  const read = readOf(body)
  if (isRead && read) requireModest(new TextDecoder().decode(read))
  if (passage.session) {
    requireReason(target, request.method, read)
    await requireStepUp(deps, passage.session, { target, method: request.method, body: read })
  }
  if (onlyOwn) await requireOwn(deps.owners, onlyOwn, { query: target.query, headers: request.headers, body: read })
  const { email } = attempt?.byAccount ? fieldsOf(read) : {}
  if (attempt && typeof email === 'string') {
    await deps.rateLimits.take(`account:${sha256(email.trim().toLowerCase())}`, attempt.policy)
  }
  return body
}

/** Console sessions have no participant's key: only the table decides what they may do. */
const isHeldToTable = ({ config }: GatewayDeps, { session }: Passage): boolean =>
  config.authorization === 'roles' || session !== null

const readOf = ({ content }: Body): Uint8Array | null => (content instanceof Uint8Array ? content : null)
