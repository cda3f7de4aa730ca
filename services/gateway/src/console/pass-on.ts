import type { RequestContext } from '@bursar/http'
import type { Arrival } from '../console-sessions/arrivals'
import { requireSession } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { type Target, targetOf } from '../front/target'
import { isStream } from '../proxy/heavy'
import { pass } from '../proxy/pass'
import { wantsSocket } from '../proxy/sockets'
import { compressAnswer } from './compress-answer'

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
  if (isStream(target)) return deps.consoleStreams.watch(() => deps.sessions.goesOn(session.row.id), answer)
  return compressAnswer(request, answer)
}

function servedTarget(url: string): Target {
  const target = targetOf(url)
  if (!target || isWithheld(target)) throw fail('NOT_FOUND')
  return target
}

/** Routes that issue tokens, or set passwords by them: the console has its own, which do not expose tokens. */
const withheld: Partial<Record<Target['service'], RegExp>> = {
  'identity-manager': /^\/(auth\/.*|users\/(register|change-password-token))$/,
}

/** Whether a route is withheld from console sessions. */
const isWithheld = ({ service, path }: Target): boolean => withheld[service]?.test(path) === true
