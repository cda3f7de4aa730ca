import { t } from '@bursar/contracts/schema'
import { SignOn, SignOnRefused } from '@bursar/contracts/single-sign-on'
import { Value } from '@sinclair/typebox/value'
import type { Passage } from '../access/admit'
import { answerOf } from '../access/read-answer'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import type { Target } from '../front/target'
import type { Actor } from './act'

const path = '/auth/single-sign-on/complete'

/** Whether a request completes a log-in through the provider, which may create users and change roles. */
export const isSignOn = (target: Target, method: string): boolean =>
  target.service === 'identity-manager' && target.path === path && method === 'POST'

const Known = t.Object({ data: t.Object({ signOn: SignOn }) })
const Refused = t.Object({ error: t.Object({ message: t.String(), details: SignOnRefused }) })

/**
 * Records in the audit trail what a log-in through the provider changed, and whom it refused. An attempt that
 * identifies nobody (such as a wrong code) is not recorded, like a wrong password. Fails (503), also when the answer cannot
 * be read in time: then nobody is logged in.
 */
export async function noteSignOn(
  { audit }: Pick<GatewayDeps, 'audit'>,
  { address, context, isOfConsole }: Passage,
  response: Response,
): Promise<void> {
  const { status } = response
  const answer = await answerOf(response)
  const actor = { door: isOfConsole ? 'console' : 'api', session: null, address } as const
  const note = (who: Pick<Actor, 'id' | 'roles'>, outcome: { answer: unknown; problem?: string }) =>
    audit.note(
      {
        actor: { ...actor, ...who },
        service: 'identity-manager',
        action: `POST ${path}`,
        object: who.id === address ? null : who.id,
        requestId: context.id,
        request: {},
      },
      { status, ...outcome },
    )
  if (answer === undefined || (response.ok && !Value.Check(Known, answer))) {
    void response.body?.cancel().catch(() => {})
    throw fail('SERVICE_UNAVAILABLE', { message: unreadable })
  }
  if (Value.Check(Known, answer)) {
    const { signOn } = answer.data
    await note({ id: signOn.userId, roles: signOn.roles }, { answer: signOn })
  }
  if (Value.Check(Refused, answer)) {
    const { message, details } = answer.error
    await note({ id: address, roles: [] }, { answer: details, problem: message })
  }
}

const unreadable = 'The log-in cannot be recorded in the audit trail right now'
