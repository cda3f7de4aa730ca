import { nullable, oneOf, t, text } from '@bursar/contracts/schema'
import { type Secrets, secretsOf } from '@bursar/contracts/secrets'
import type { ServiceName } from '@bursar/contracts/services'
import { Value } from '@sinclair/typebox/value'
import { errors, jwtVerify, SignJWT } from 'jose'
import { failCommon } from '../errors/errors'
import { type KeyRing, openKeyRing } from '../secrets/key-ring'

/** `anonymous`: the gateway lets the request through without credentials, as the route asks for none. */
const callerKinds = ['service', 'user', 'participant', 'anonymous'] as const

/** The caller, as found by the gateway or declared by another service (decisions, Who may call). */
export interface Caller {
  readonly kind: (typeof callerKinds)[number]
  /** The service's name, the user's id, the participant's id, or an anonymous caller's address. */
  readonly subject: string
  readonly participantId: string | null
  /** The custodian bank that a user belongs to. */
  readonly custodianId?: string | null
  readonly roles: readonly string[]
  /** The session by whose access token a user calls; missing for all others. */
  readonly sessionId?: string
  /** Its institution is paused: a read that would create something is refused (`requireMayCreate`). Missing for all others. */
  readonly isPaused?: true
}

/** The one header that carries a caller from the gateway, or a service, to a service. */
export const identityHeader = 'x-identity'

const issuer = 'bursar'
const algorithm = 'HS256'
const lifeSeconds = 60
/**
 * The longest accepted life of a token. Ours live for a minute; the rest is for clocks that differ. A token valid for
 * years would be a password.
 */
const longestLifeSeconds = 5 * 60

/** How long a signed token is used again: it must still reach its service in time. */
const reusedMs = 20_000
/** The most verified tokens that are cached. */
const mostKnown = 10_000

/** Signs and reads the tokens in which a deployment's services tell each other who calls. */
export interface Identity {
  /**
   * A token that only `audience` accepts, valid for at least 40 seconds. The same caller object gets the same token for
   * 20 seconds, so never change a caller after signing.
   */
  sign(caller: Caller, audience: ServiceName): Promise<string>
  /**
   * The verified caller of a request; null if it has no token. Fails with 401 for an invalid token: expired, without an
   * end or with one more than five minutes ahead, forged, for another service, or with an incomplete caller.
   */
  read(request: Request): Promise<Caller | null>
}

/** The identity of one service. All services of a deployment share the secret, or the ring of secrets. */
export function createIdentity(service: ServiceName, secret: Uint8Array | Secrets, clock: () => Date): Identity {
  const secrets = secretsOf(secret)
  const signed = new WeakMap<Caller, Map<ServiceName, Signed>>()
  const verified = new Map<string, Verified>()
  return {
    sign(caller, audience) {
      const at = clock()
      const now = at.getTime()
      const ofCaller = signed.getOrInsertComputed(caller, () => new Map())
      const known = ofCaller.get(audience)
      // A token signed before the clock was set back is not used: its end would be too far ahead.
      if (known && now >= known.signedAt && now < known.signedAt + reusedMs) return known.token
      const token = signToken(caller, audience, { secret: secrets.all()[0] as Uint8Array, at })
      ofCaller.set(audience, { token, signedAt: now })
      return token
    },
    async read(request) {
      const token = request.headers.get(identityHeader)
      if (token === null) return null
      const known = verified.get(token)
      if (known) {
        try {
          requireTime(known.expiresAt, clock())
          return known.caller
        } catch (error) {
          verified.delete(token)
          throw error
        }
      }
      const found = await verifyByAny(token, service, secrets, clock())
      for (const oldest of verified.keys()) {
        if (verified.size < mostKnown) break
        verified.delete(oldest)
      }
      verified.set(token, found)
      return found.caller
    },
  }
}

interface Signed {
  token: Promise<string>
  signedAt: number
}

/** Verifies a token by each secret. If none fits, its secret may be a moment old, and is read again. */
async function verifyByAny(token: string, audience: ServiceName, secrets: Secrets, at: Date): Promise<Verified> {
  for (;;) {
    for (const secret of secrets.all()) {
      const found = await verifyToken(token, audience, { secret, at })
      if (found) return found
    }
    if (!secrets.refresh()) throw failCommon('UNAUTHORIZED')
  }
}

/** What a token is signed or verified with. */
interface Proof {
  secret: Uint8Array
  at: Date
}

interface Verified {
  caller: Caller
  /** Seconds since 1970. */
  expiresAt: number
}

const signToken = (
  { kind, subject, participantId, custodianId = null, roles, sessionId, isPaused }: Caller,
  audience: ServiceName,
  { secret, at }: Proof,
): Promise<string> =>
  new SignJWT({ kind, participantId, custodianId, roles, sessionId, isPaused })
    .setProtectedHeader({ alg: algorithm })
    .setSubject(subject)
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime(Math.floor(at.getTime() / 1000) + lifeSeconds)
    .sign(secret)

/** Null for a token that another secret has signed. */
async function verifyToken(token: string, audience: ServiceName, { secret, at }: Proof): Promise<Verified | null> {
  const verified = await jwtVerify(token, secret, {
    issuer,
    audience,
    algorithms: [algorithm],
    requiredClaims: ['exp', 'sub'],
    currentDate: at,
  }).catch((cause: unknown) => {
    if (cause instanceof errors.JWSSignatureVerificationFailed) return null
    throw failCommon(cause instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'UNAUTHORIZED', { cause })
  })
  if (!verified) return null
  const { payload } = verified
  const {
    sub: subject,
    exp: expiresAt = 0,
    kind,
    participantId,
    custodianId = null,
    roles,
    sessionId,
    isPaused,
  } = payload
  requireTime(expiresAt, at)
  const common = { kind, subject, participantId, custodianId, roles }
  const ofSession = sessionId === undefined ? common : { ...common, sessionId }
  const caller = isPaused === undefined ? ofSession : { ...ofSession, isPaused }
  if (!Value.Check(WholeCaller, caller)) throw failCommon('UNAUTHORIZED')
  return { caller, expiresAt }
}

/** Fails when a token has ended (as jose counts: in whole seconds), or ends too far ahead. */
function requireTime(expiresAt: number, at: Date): void {
  const now = at.getTime() / 1000
  if (expiresAt <= Math.floor(now)) throw failCommon('TOKEN_EXPIRED')
  if (expiresAt > now + longestLifeSeconds) throw failCommon('UNAUTHORIZED')
}

const WholeCaller = t.Object({
  kind: oneOf(callerKinds),
  subject: text(255),
  participantId: nullable(text(255)),
  custodianId: nullable(text(255)),
  roles: t.Array(t.String(), { maxItems: 100 }),
  sessionId: t.Optional(text(255)),
  isPaused: t.Optional(t.Literal(true)),
})

/**
 * For a GET that creates what is missing, before it does: fails with 403 when the caller's institution is paused
 * (decisions, Institutions that are PAUSED, OFFBOARDED or deleted). The gateway refuses other methods itself.
 */
export async function requireMayCreate(identity: Identity, request: Request): Promise<void> {
  if ((await identity.read(request))?.isPaused) throw failCommon('INSTITUTION_PAUSED')
}

/**
 * The service that calls: any of this deployment, or one of those that are named. Fails with 401 for anybody else.
 */
export async function requireService(
  identity: Identity,
  request: Request,
  from?: readonly ServiceName[],
): Promise<Caller> {
  const caller = await identity.read(request)
  const isAllowed = caller?.kind === 'service' && (!from || from.some((name) => name === caller.subject))
  if (isAllowed) return caller
  const whom = from ? `for ${from.join(' and ')}` : 'for the services of this deployment'
  throw failCommon('UNAUTHORIZED', { message: `This route is ${whom}` })
}

/**
 * The deployment's secrets: `given` (INTERNAL_SECRET, base64, 32 bytes or more, for services on several machines), else
 * the file `internal.secret` in the data folder, made at the first start and readable by its owner alone. With a clock an
 * earlier one ends at its time. Unless it `mayMake` one a missing one is refused (ConfigError).
 */
export const openInternalSecret = (
  dataDir: string,
  given: string | undefined,
  now?: () => Date,
  mayMake = true,
): KeyRing =>
  openKeyRing({
    dataDir,
    file: internalSecretFile,
    given: { name: 'INTERNAL_SECRET', value: given || undefined },
    mayBeLonger: true,
    mayMake,
    ...(now ? { now } : {}),
  })

export const internalSecretFile = 'internal.secret'
