import { SignedOn, SignOnBegun, SignOnChallenged, SignOnState } from '@bursar/contracts/single-sign-on'
import { Value } from '@sinclair/typebox/value'
import type { Arrival } from '../console-sessions/arrivals'
import { signOnIn } from '../console-sessions/cookie'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { answerOfIdentity, askFor } from './ask-identity'
import { type Begun, begin, type Challenged, needsTls } from './log-in'

const path = '/auth/single-sign-on'

/** The display name of the provider; null for none. */
export async function signOnName(deps: GatewayDeps, request: Request, arrival: Arrival): Promise<string | null> {
  const { data } = await askFor(deps, { request, arrival, method: 'GET', path }, SignOnState)
  return data?.name ?? null
}

/**
 * The URL for the browser, and the secret it brings back. Fails as the identity manager does, and (403) without TLS.
 */
export async function beginSignOn(
  deps: GatewayDeps,
  request: Request,
  arrival: Arrival,
  body: { fresh?: boolean },
): Promise<{ url: string; attempt: string; expiresIn: number }> {
  if (!arrival.isSecure) throw fail('FORBIDDEN', { message: needsTls })
  return (await askFor(deps, { request, arrival, path: `${path}/begin`, body }, SignOnBegun)).data
}

/** Completes a log-in in the browser that began it: its earlier session ends. Fails as the identity manager does. */
export async function completeSignOn(
  deps: GatewayDeps,
  request: Request,
  arrival: Arrival,
  { query }: { query: string },
): Promise<Begun | Challenged> {
  if (!arrival.isSecure) throw fail('FORBIDDEN', { message: needsTls })
  const attempt = signOnIn(request.headers)
  if (attempt === null) throw fail('UNAUTHORIZED', { message: notBegun })
  const answer = await answerOfIdentity(deps, { request, arrival, path: `${path}/complete`, body: { attempt, query } })
  if (Value.Check(SignOnChallenged, answer.body)) {
    const { signOn: _, ...challenged } = answer.body.data
    return challenged
  }
  if (!Value.Check(SignedOn, answer.body)) throw fail('UPSTREAM_ERROR')
  const { secondFactorAt } = answer.body.data.signOn
  const provenAt = secondFactorAt === null ? null : new Date(secondFactorAt)
  return await begin(deps, { request, arrival, answer, by: 'provider', provenAt })
}

const notBegun = 'This browser has begun no log-in through the provider, or too long ago: begin again'
