import type { RequestContext } from '@bursar/http'
import type { GatewayDeps } from '../../deps'
import { fail } from '../../errors'
import { isStream } from '../../proxy/heavy'
import { pass } from '../../proxy/pass'
import { wantsSocket } from '../../proxy/sockets'
import { type Target, targetOf } from '../../routing/target'
import type { Arrival } from '../sessions/arrivals'
import { requireSession } from './require-session'
import { isWithheld } from './withheld'

/** Passes a request of the console on to its service, with the session's user as its caller. */
export async function passOn(
  deps: GatewayDeps,
  { request, url, arrival, context }: { request: Request; url: string; arrival: Arrival; context: RequestContext },
): Promise<Response> {
  const session = await requireSession(deps, request)
  const target = servedTarget(url)
  if (wantsSocket(request)) throw fail('INVALID_REQUEST', { message: 'The console reads streams as text/event-stream' })
  const passage = { request, target, address: arrival.address, context, session }
  const answer = await pass(deps, passage, () => false)
  if (!answer) throw fail('INVALID_REQUEST')
  return isStream(target) ? deps.consoleStreams.watch(() => deps.sessions.goesOn(session.row.id), answer) : answer
}

function servedTarget(url: string): Target {
  const target = targetOf(url)
  if (!target || isWithheld(target)) throw fail('NOT_FOUND')
  return target
}
