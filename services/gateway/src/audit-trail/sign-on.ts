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
  deps: Pick<GatewayDeps, 'audit'>,
  passage: Passage,
  response: Response,
): Promise<void> {
  const by = ownLogIns.get(passage.target.path)
  if (by === undefined) return await noteOfProvider(deps, passage, response)
  // The console records its own.
  if (response.ok && !passage.isOfConsole) await noteOwnLogIn(deps, passage, response, by)
}

async function noteOwnLogIn(
  { audit }: Pick<GatewayDeps, 'audit'>,
  { target, address, context }: Passage,
  response: Response,
  by: string,
): Promise<void> {
  const answer = await answerOf(response)
  if (answer === undefined) throw unreadable(response)
  if (!Value.Check(Tokens, answer)) return
  const { accessToken, user } = answer.data
  if (!isStaff(user.roles)) return
  await audit.note(
    {
      actor: { door: 'api', id: user.id, roles: user.roles, session: sessionIn(accessToken), address },
      service: 'identity-manager',
      action: `POST ${target.path}`,
      object: user.id,
      requestId: context.id,
      request: { by },
    },
    { status: response.status },
  )
}

function sessionIn(accessToken: string): string | null {
  try {
    const { sid } = decodeJwt(accessToken)
    return typeof sid === 'string' ? sid : null
  } catch {
    return null
  }
}

async function noteOfProvider(
  { audit }: Pick<GatewayDeps, 'audit'>,
  { address, context, isOfConsole }: Passage,
  response: Response,
): Promise<void> {
  const { status } = response
  const answer = await answerOf(response)
  const actor = { door: isOfConsole ? 'console' : 'api', session: null, address } as const
  const note = (
    who: Pick<Actor, 'id' | 'roles'>,
    object: string | null,
    outcome: { answer: unknown; problem?: string },
  ) =>
    audit.note(
      {
        actor: { ...actor, ...who },
        service: 'identity-manager',
        action: `POST ${path}`,
        object,
        requestId: context.id,
        request: {},
      },
      { status, ...outcome },
    )
  if (answer === undefined || (response.ok && !Value.Check(Known, answer))) throw unreadable(response)
  if (Value.Check(Known, answer)) {
    const { signOn } = answer.data
    await note({ id: signOn.userId, roles: signOn.roles }, signOn.userId, { answer: signOn })
  }
  if (Value.Check(Refused, answer)) {
    const { message, details } = answer.error
    await note({ id: address, roles: [] }, details.userId ?? null, { answer: details, problem: message })
  }
}

function unreadable(response: Response) {
  void response.body?.cancel().catch(() => {})
  return fail('SERVICE_UNAVAILABLE', { message: 'The log-in cannot be recorded in the audit trail right now' })
}
