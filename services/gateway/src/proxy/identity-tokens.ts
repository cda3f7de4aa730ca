import type { ServiceName } from '@bursar/contracts/services'
import type { Caller, Identity } from '@bursar/http'
import { createBoundedCache } from '../bounded-cache'

/** The signed identities of callers, each for one service. */
export type IdentityTokens = (caller: Caller, audience: ServiceName) => string | Promise<string>

/** A token lives a minute: used for half of it, it reaches its service in time. */
const reusedMs = 30_000
const mostTokens = 20_000

/** Signs once for a caller and a service, and uses that for half a minute. */
export function createIdentityTokens(identity: Identity, now: () => number = Date.now): IdentityTokens {
  const signed = createBoundedCache<{ token: string; until: number }>(mostTokens)
  return (caller, audience) => {
    const key = keyOf(caller, audience)
    const known = signed.get(key)
    if (known && known.until > now()) return known.token
    const until = now() + reusedMs
    return identity.sign(caller, audience).then((token) => {
      signed.set(key, { token, until })
      return token
    })
  }
}

/** All that the token says. */
const keyOf = ({ kind, subject, participantId, custodianId, roles }: Caller, audience: ServiceName): string =>
  JSON.stringify([audience, kind, subject, participantId, custodianId, roles])
