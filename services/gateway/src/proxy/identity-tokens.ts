import type { ServiceName } from '@bursar/contracts/services'
import type { Caller, Identity } from '@bursar/http'

/** The signed identities of callers, each for one service. */
export type IdentityTokens = (caller: Caller, audience: ServiceName) => string | Promise<string>

/** A token lives a minute: used for half of it, it reaches its service in time. */
const reusedMs = 30_000

interface Signed {
  token: string
  until: number
}

/** Signs once for a caller and a service, and uses that for half a minute. A caller is known by its very object. */
export function createIdentityTokens(identity: Identity, now: () => number = Date.now): IdentityTokens {
  const signed = new WeakMap<Caller, Map<ServiceName, Signed>>()
  return (caller, audience) => {
    const known = signed.get(caller)?.get(audience)
    if (known && known.until > now()) return known.token
    const until = now() + reusedMs
    return identity.sign(caller, audience).then((token) => {
      const ofCaller = signed.get(caller) ?? new Map<ServiceName, Signed>()
      signed.set(caller, ofCaller.set(audience, { token, until }))
      return token
    })
  }
}
