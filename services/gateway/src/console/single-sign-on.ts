import { SignedOn, SignOnChallenged } from '@bursar/contracts/single-sign-on'
import { Value } from '@sinclair/typebox/value'
import { signOnIn } from '../console-sessions/cookie'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { askIdentity } from './ask-identity'
import { type Begun, begin, type Challenged, requireTls } from './log-in'

/** Completes a log-in in the browser that began it: its earlier session ends. Fails as the identity manager does. */
export async function completeSignOn(
  deps: GatewayDeps,
  request: Request,
  { query }: { query: string },
): Promise<Begun | Challenged> {
  requireTls(deps, request)
  const attempt = signOnIn(request.headers)
  if (attempt === null) throw fail('UNAUTHORIZED', { message: notBegun })
  const answer = await askIdentity(deps, { request, path: '/auth/single-sign-on/complete', body: { attempt, query } })
  if (Value.Check(SignOnChallenged, answer.body)) {
    const { signOn: _, ...challenged } = answer.body.data
    return challenged
  }
  if (!Value.Check(SignedOn, answer.body)) throw fail('UPSTREAM_ERROR')
  const { secondFactorAt } = answer.body.data.signOn
  const provenAt = secondFactorAt === null ? null : new Date(secondFactorAt)
  return await begin(deps, { request, answer, by: 'provider', provenAt })
}

const notBegun = 'This browser has begun no log-in through the provider, or too long ago: begin again'
