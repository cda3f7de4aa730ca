import { Tokens } from '@bursar/contracts/identity-manager'
import { t } from '@bursar/contracts/schema'
import { SignOn, SignOnRefused } from '@bursar/contracts/single-sign-on'
import { Value } from '@sinclair/typebox/value'
import { decodeJwt } from 'jose'
import type { Passage } from '../access/admit'
import { answerOf } from '../access/read-answer'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import type { Target } from '../front/target'
import { type Actor, isStaff } from './act'

const path = '/auth/single-sign-on/complete'

/** Log-ins at the identity manager itself, with their last factor. */
const ownLogIns = new Map([
  ['/auth/login', 'password'],
  ['/auth/mfa', 'second factor'],
])

/** Whether a request may log a user in: by our own factors, or through the provider, which may create users and change roles. */
export const isSignOn = ({ service, path: asked }: Target, method: string): boolean =>
  service === 'identity-manager' && method === 'POST' && (asked === path || ownLogIns.has(asked))

const Known = t.Object({ data: t.Object({ signOn: SignOn }) })
const Refused = t.Object({ error: t.Object({ message: t.String(), details: SignOnRefused }) })

/**
 * Records in the audit trail what a log-in through the provider changed, and whom it refused; and log-ins of staff through
 * the API by our own factors. An attempt that identifies nobody (such as a wrong code) is not recorded, like a wrong
 * password. Fails (503), also when the answer cannot be read in time: then nobody is logged in.
 */
export async function noteSignOn(
  { audit }: Pick<GatewayDeps, 'audit'>,
  { target, address, context, isOfConsole }: Passage,
  response: Response,
): Promise<void> {
  const by = ownLogIns.get(target.path)
  // The console records its own.
  if (by !== undefined && (!response.ok || isOfConsole)) return
  const answer = await answerOf(response)
  const isUnknown = by === undefined && response.ok && !Value.Check(Known, answer)
  if (answer === undefined || isUnknown) throw unreadable(response)
  const note = (
    who: Pick<Actor, 'id' | 'roles'> & { session?: string | null },
    object: string | null,
    { request = {}, ...outcome }: { request?: object; answer?: unknown; problem?: string },
  ) =>
    audit.note(
      {
        actor: { door: isOfConsole ? 'console' : 'api', session: null, address, ...who },
        service: 'identity-manager',
        action: `POST ${target.path}`,
        object,
        requestId: context.id,
        request,
      },
      { status: response.status, ...outcome },
    )
  if (by !== undefined) {
    if (!Value.Check(Tokens, answer) || !isStaff(answer.data.user.roles)) return
    const { accessToken, user } = answer.data
    await note({ id: user.id, roles: user.roles, session: sessionIn(accessToken) }, user.id, { request: { by } })
  } else if (Value.Check(Known, answer)) {
    const { signOn } = answer.data
    await note({ id: signOn.userId, roles: signOn.roles }, signOn.userId, { answer: signOn })
  } else if (Value.Check(Refused, answer)) {
    const { message, details } = answer.error
    await note({ id: address, roles: [] }, details.userId ?? null, { answer: details, problem: message })
  }
}

function sessionIn(accessToken: string): string | null {
  try {
    const { sid } = decodeJwt(accessToken)
    return typeof sid === 'string' ? sid : null
  } catch {
    return null
  }
}

function unreadable(response: Response) {
  void response.body?.cancel().catch(() => {})
  return fail('SERVICE_UNAVAILABLE', { message: 'The log-in cannot be recorded in the audit trail right now' })
}
