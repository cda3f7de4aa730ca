import { join } from 'node:path'
import { nullable, oneOf, t, text } from '@bursar/contracts/schema'
import type { ServiceName } from '@bursar/contracts/services'
import { Value } from '@sinclair/typebox/value'
import { errors, jwtVerify, SignJWT } from 'jose'
import { failCommon } from '../errors/errors'
import { keyBytes, readKeyFile } from '../secrets/key-file'

/** `anonymous`: the gateway lets the request through without credentials, as the route asks for none. */
const callerKinds = ['service', 'user', 'participant', 'anonymous'] as const

/** Who calls, as the gateway found out or as another service says of itself (decisions, Who may call). */
export interface Caller {
  readonly kind: (typeof callerKinds)[number]
  /** The service's name, the user's id, the participant's id, or an anonymous caller's address. */
  readonly subject: string
  readonly participantId: string | null
  /** The custodian bank that a user belongs to. */
  readonly custodianId?: string | null
  readonly roles: readonly string[]
}

/** The one header that carries a caller from the gateway, or a service, to a service. */
export const identityHeader = 'x-identity'

const issuer = 'bursar'
const algorithm = 'HS256'
const lifeSeconds = 60
/** Tokens live for a minute; the rest is for clocks that differ. A token that is good for years would be a password. */
const longestLifeSeconds = 5 * 60

/** Signs and reads the tokens in which a deployment's services tell each other who calls. */
export interface Identity {
  /** A token that only `audience` takes, for a minute. */
  sign(caller: Caller, audience: ServiceName): Promise<string>
  /**
   * The caller that a request to this service proves; null when it carries no token. Fails with 401 for a token that is
   * not valid here: expired, without an end or with one more than five minutes ahead, forged, for another service, or without a whole caller in it.
   */
  read(request: Request): Promise<Caller | null>
}

/** The identity of one service. All services of a deployment share the secret. */
export function createIdentity(service: ServiceName, secret: Uint8Array): Identity {
  // A request's token is verified once, however often its caller is asked for.
  const verified = new WeakMap<Request, Promise<Caller>>()
  return {
    sign: ({ kind, subject, participantId, custodianId = null, roles }, audience) =>
      new SignJWT({ kind, participantId, custodianId, roles })
        .setProtectedHeader({ alg: algorithm })
        .setSubject(subject)
        .setIssuer(issuer)
        .setAudience(audience)
        .setExpirationTime(`${lifeSeconds}s`)
        .sign(secret),
    read: async (request) => {
      const token = request.headers.get(identityHeader)
      if (token === null) return null
      const known = verified.get(request)
      if (known) return await known
      const caller = verify(token, secret, service)
      verified.set(request, caller)
      return await caller
    },
  }
}

async function verify(token: string, secret: Uint8Array, audience: ServiceName): Promise<Caller> {
  const { payload } = await jwtVerify(token, secret, {
    issuer,
    audience,
    algorithms: [algorithm],
    requiredClaims: ['exp', 'sub'],
  }).catch((cause: unknown) => {
    throw failCommon(cause instanceof errors.JWTExpired ? 'TOKEN_EXPIRED' : 'UNAUTHORIZED', { cause })
  })
  const { sub: subject, exp = 0, kind, participantId, custodianId = null, roles } = payload
  if (exp > Date.now() / 1000 + longestLifeSeconds) throw failCommon('UNAUTHORIZED')
  const caller = { kind, subject, participantId, custodianId, roles }
  if (!Value.Check(WholeCaller, caller)) throw failCommon('UNAUTHORIZED')
  return caller
}

const WholeCaller = t.Object({
  kind: oneOf(callerKinds),
  subject: text(255),
  participantId: nullable(text(255)),
  custodianId: nullable(text(255)),
  roles: t.Array(t.String(), { maxItems: 100 }),
})

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
 * The deployment's secret: `given` (INTERNAL_SECRET, base64, 32 bytes or more, for services on several machines), else
 * the file `internal.secret` in the data folder, made at the first start and readable by its owner alone.
 */
export function openInternalSecret(dataDir: string, given: string | undefined): Uint8Array {
  if (given) return checked(given, 'INTERNAL_SECRET')
  return checked(readKeyFile(dataDir, secretFile), join(dataDir, secretFile))
}

const secretFile = 'internal.secret'

function checked(base64: string, name: string): Uint8Array {
  const secret = Buffer.from(base64, 'base64')
  if (secret.length < keyBytes) throw new Error(`${name} must hold at least ${keyBytes} bytes in base64`)
  return secret
}
