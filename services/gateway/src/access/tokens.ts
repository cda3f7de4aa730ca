import { AccessTokenClaims, accessTokenAudience, accessTokenIssuer } from '@bursar/contracts/identity-manager'
import { type Caller, ifCallFails } from '@bursar/http'
import { Value } from '@sinclair/typebox/value'
import { decodeProtectedHeader, errors, jwtVerify } from 'jose'
import { createBoundedCache } from '../bounded-cache'
import { fail } from '../errors'
import type { PublicKeys } from './public-keys'
import type { Revocations } from './revocations'

/** The user of an access token. */
export interface VerifiedToken {
  readonly caller: Caller
  readonly sessionId: string
  /** The id of the signing key. */
  readonly kid: string
  readonly expiresAtMs: number
  /** The user must set up a second factor before anything else. */
  readonly mustEnrol: boolean
}

export type Tokens = ReturnType<typeof createTokens>

const mostTokens = 20_000
/** Ours have about 600 characters. Longer ones are refused. */
const longestToken = 4096

/** Verifies access tokens. */
export function createTokens(keys: PublicKeys, revocations: Revocations, now: () => number) {
  const verified = createBoundedCache<VerifiedToken>(mostTokens)

  function checked(token: VerifiedToken): VerifiedToken {
    if (token.expiresAtMs <= now()) throw fail('TOKEN_EXPIRED')
    if (!keys.has(token.kid)) throw fail('UNAUTHORIZED', { message: keyDropped })
    if (revocations.has(token.sessionId)) throw fail('UNAUTHORIZED', { message: sessionEnded })
    return token
  }

  async function requireRevocations() {
    if (revocations.isComplete()) return
    await ifCallFails(revocations.pull(), (cause) => {
      throw fail('SERVICE_UNAVAILABLE', { message: noList, cause })
    })
  }

  return {
    /** A token that was verified before and is still valid; undefined for one to verify. Fails as `verify`. */
    known(digest: string): VerifiedToken | undefined {
      const token = verified.get(digest)
      return token && checked(token)
    },
    /** Fails: 401 expired, revoked or invalid; 503 when it cannot be verified. */
    async verify(token: string, digest: string): Promise<VerifiedToken> {
      if (token.length > longestToken) throw broken()
      const { kid, claims } = await claimsOf(token, keys, now)
      await requireRevocations()
      const { sub, sid, participantId, custodianId, roles, exp, mustEnrol = false } = claims
      const caller: Caller = { kind: 'user', subject: sub, participantId, custodianId, roles, sessionId: sid }
      const found = checked({ caller, sessionId: sid, kid, expiresAtMs: exp * 1000, mustEnrol })
      verified.set(digest, found)
      return found
    },
  }
}

const sessionEnded = 'The session has ended; log in again'
const keyDropped = 'The key that signed the access token was dropped; get another token'
const noList = 'Access tokens cannot be verified: the identity manager cannot be reached'
const broken = (cause?: unknown) =>
  fail('UNAUTHORIZED', { message: 'The access token is not valid', ...(cause === undefined ? {} : { cause }) })

/** The algorithm is fixed, never the token's; the kid selects the identity manager's key. */
async function claimsOf(token: string, keys: PublicKeys, now: () => number) {
  const { kid, alg } = headerOf(token)
  if (!isCanonical(token)) throw broken()
  if (alg !== 'EdDSA' || typeof kid !== 'string') throw broken()
  const key = await keys.find(kid)
  if (!key) throw broken()
  const { payload } = await jwtVerify(token, key, {
    issuer: accessTokenIssuer,
    audience: accessTokenAudience,
    algorithms: ['EdDSA'],
    requiredClaims: ['exp', 'sub'],
    currentDate: new Date(now()),
  }).catch((cause: unknown) => {
    throw cause instanceof errors.JWTExpired ? fail('TOKEN_EXPIRED', { cause }) : broken(cause)
  })
  const claims: unknown = payload
  if (!Value.Check(AccessTokenClaims, claims)) throw broken()
  return { kid, claims }
}

/** Refuses other encodings of the same signature: the last base64url character has unused bits. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}

function headerOf(token: string) {
  try {
    return decodeProtectedHeader(token)
  } catch (cause) {
    throw broken(cause)
  }
}
