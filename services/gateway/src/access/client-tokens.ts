import { nullable, t, uuid } from '@bursar/contracts/schema'
import type { Seal } from '@bursar/http'
import { Value } from '@sinclair/typebox/value'
import { fail } from '../errors'

/** How long a client's access token lives. */
export const clientTokenSeconds = 600
/** Clocks of several gateways may differ by so much. */
const toleranceSeconds = 60

/** What an access token of a client stands for: the API key that it was issued for. */
interface ClientToken {
  /** SHA-256 of the key, hex: whatever ends the key ends its tokens. */
  readonly keyHash: string
  readonly participantId: string | null
}

export type ClientTokens = ReturnType<typeof createClientTokens>

const Claims = t.Object({
  keyHash: t.String({ pattern: '^[0-9a-f]{64}$' }),
  participantId: nullable(uuid()),
  /** Seconds since 1970. */
  issuedAt: t.Integer(),
  expiresAt: t.Integer(),
})

/** Whether a bearer token is one of a client: users' are JWTs. */
export const isClientToken = (bearer: string): boolean => bearer.startsWith('v1.')

const longest = 1024

/**
 * Issues and reads access tokens of clients (RFC 6749, 4.4). They are sealed with the deployment's secret: nobody reads or
 * makes them, and several gateways take each other's. They name no algorithm that an attacker could choose. `issuer` is
 * bound to them: those of another address are refused.
 */
export function createClientTokens(seal: Seal, issuer: string, now: () => number) {
  const seconds = () => Math.floor(now() / 1000)
  return {
    issue({ keyHash, participantId }: ClientToken): string {
      const issuedAt = seconds()
      const claims = { keyHash, participantId, issuedAt, expiresAt: issuedAt + clientTokenSeconds }
      return seal.seal(JSON.stringify(claims), issuer)
    },
    /** Fails: 401 TOKEN_EXPIRED; 401 UNAUTHORIZED for one that was not issued by this deployment, at this address. */
    open(text: string): ClientToken {
      const claims = text.length <= longest ? opened(seal, text, issuer) : null
      if (!Value.Check(Claims, claims)) throw broken()
      const { keyHash, participantId, issuedAt, expiresAt } = claims
      if (expiresAt <= seconds())
        throw fail('TOKEN_EXPIRED', { message: 'The access token has expired; request another one' })
      // Of a clock that was ahead, and has been set right.
      if (issuedAt > seconds() + toleranceSeconds) throw broken()
      return { keyHash, participantId }
    },
  }
}

function opened(seal: Seal, text: string, issuer: string): unknown {
  try {
    return JSON.parse(seal.open(text, issuer))
  } catch {
    return null
  }
}

const broken = () => fail('UNAUTHORIZED', { message: 'The access token is not valid' })
