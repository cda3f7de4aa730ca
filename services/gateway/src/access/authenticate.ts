import { apiKeyHash, type Caller, ifCallFails, sha256 } from '@bursar/http'
import { fail } from '../errors'
import { countedAddress } from '../front/caller-address'
import type { ApiKeys } from './api-keys'
import { type ClientTokens, isClientToken } from './client-tokens'
import type { FailureBudget } from './failure-budget'
import type { Institutions } from './institutions'
import type { KeyAddresses, UsedKey } from './key-addresses'
import type { HasKey } from './key-states'
import type { Needs } from './needs'
import type { Tokens, VerifiedToken } from './tokens'

/** The caller and its rate-limit key. */
interface Authenticated {
  readonly caller: Caller
  /** `user:<id>`, `key:<hash>` or `address:<address>`. */
  readonly counted: string
  /** The session of a user's access token; null for all others. */
  readonly sessionId: string | null
  /** See VerifiedToken. */
  readonly mustEnrol: boolean
}

/**
 * The user of a session of the console. Its requests are checked by the table of routes and roles, and all its writes
 * are audited.
 */
export type ConsoleUser = Pick<Authenticated, 'caller' | 'counted' | 'mustEnrol'> & {
  readonly sessionId: string
  /** When the user last verified its second factor; null for never. */
  readonly verifiedAt: Date | null
}

export interface Credentials {
  readonly tokens: Tokens
  readonly apiKeys: ApiKeys
  readonly clientTokens: ClientTokens
  readonly keyAddresses: KeyAddresses
  readonly hasKey: HasKey
  readonly institutions: Institutions
  readonly failures: FailureBudget
}

interface Asked {
  headers: Headers
  needs: Needs
  /** The client's IP address. */
  from: string
}

/**
 * Authenticates the caller (decisions, Who may call 2). Fails: 401 for invalid credentials, 429 for an address
 * that has sent too many wrong ones, 503 when they cannot be verified.
 */
export async function authenticate(credentials: Credentials, asked: Asked): Promise<Authenticated> {
  return await ifCallFails(callerOf(credentials, asked), (cause) => {
    throw fail('SERVICE_UNAVAILABLE', { message: cannotVerify, cause })
  })
}

const cannotVerify = 'The credentials cannot be verified right now; repeat the request in a moment'

async function callerOf(credentials: Credentials, { headers, needs, from }: Asked): Promise<Authenticated> {
  const address = countedAddress(from)
  const place = { from, address }
  const authorization = headers.get('authorization')
  if (needs === 'nothing') return await whoeverCalls(credentials, authorization, address)
  const key = headers.get('x-api-key') || null
  const bearer = authorization === null ? null : bearerOf(authorization)
  if (bearer !== null && isClientToken(bearer)) return await clientOf(credentials, bearer, { key, needs, place })
  const user = bearer === null ? null : await userOf(credentials, bearer, address)
  const owner = key === null ? null : await ownerOf(credentials, key, place)
  if (user && owner) return { caller: withParticipant(user.caller, owner.caller.participantId), ...ofUser(user) }
  if (user) {
    if (needs === 'both') await requireNoKeyYet(credentials, user.caller)
    return { caller: user.caller, ...ofUser(user) }
  }
  if (!owner) throw fail('UNAUTHORIZED')
  if (needs === 'both') throw fail('UNAUTHORIZED', { message: tokenToo })
  return ofKey(owner)
}

/** Where a request comes from: the client's IP address, and by which it is counted. */
export interface Place {
  from: string
  address: string
}

const ofKey = ({ caller, hash }: Pick<UsedKey, 'caller' | 'hash'>): Authenticated => ({
  caller,
  counted: `key:${hash}`,
  sessionId: null,
  mustEnrol: false,
})

/** The caller of a client's access token: the owner of its API key, as if the request had that key. */
async function clientOf(
  credentials: Credentials,
  bearer: string,
  { key, needs, place }: { key: string | null; needs: Needs; place: Place },
): Promise<Authenticated> {
  const { apiKeys, clientTokens, failures, keyAddresses } = credentials
  const { address } = place
  const { keyHash: hash, participantId } = await openedBy(failures, address, bearer, () => clientTokens.open(bearer))
  const found = apiKeys.known(hash) ?? (await failures.watch(address, hash, () => apiKeys.ownerOfHash(hash)))
  const { caller } = found
  if (caller.participantId !== participantId) throw fail('UNAUTHORIZED')
  await keyAddresses.require({ ...found, hash }, place.from)
  const owner = key === null ? null : await ownerOf(credentials, key, place)
  if (owner && owner.caller.participantId !== participantId)
    throw fail('INVALID_API_KEY', { message: 'The API key is not that of the token’s client' })
  if (needs === 'both') throw fail('UNAUTHORIZED', { message: tokenToo })
  return ofKey({ caller, hash })
}

/** Opens a token; a failure counts among the wrong credentials of the address. */
async function openedBy<T>(failures: FailureBudget, address: string, token: string, open: () => T): Promise<T> {
  try {
    return open()
  } catch (error) {
    return await failures.watch(address, sha256(token), () => Promise.reject(error))
  }
}

const tokenToo = 'This service needs the access token in Authorization: Bearer … besides the API key'
const keyToo = 'This service needs the API key of your participant in X-API-KEY besides the access token'
const noBearer = 'Authorization must be Bearer and an access token'

const ofUser = ({ caller, sessionId, mustEnrol }: VerifiedToken) => ({
  counted: `user:${caller.subject}`,
  sessionId,
  mustEnrol,
})

/** Where no credentials are needed, an invalid token is ignored. */
async function whoeverCalls(
  { tokens, institutions }: Credentials,
  authorization: string | null,
  address: string,
): Promise<Authenticated> {
  const counted = `address:${address}`
  const anonymous: Caller = { kind: 'anonymous', subject: address, participantId: null, roles: [] }
  if (!authorization?.startsWith('Bearer ')) return { caller: anonymous, counted, sessionId: null, mustEnrol: false }
  const token = authorization.slice('Bearer '.length)
  const digest = sha256(token)
  const user = await Promise.resolve()
    .then(() => tokens.known(digest) ?? tokens.verify(token, digest))
    .then(async (found) => ((await hasEnded(institutions, found.caller)) ? null : found))
    .catch(() => null)
  return {
    caller: user?.caller ?? anonymous,
    counted,
    sessionId: user?.sessionId ?? null,
    mustEnrol: user?.mustEnrol ?? false,
  }
}

const hasEnded = async (institutions: Institutions, { participantId }: Caller): Promise<boolean> =>
  participantId !== null && (await institutions.stateOf(participantId)) === 'ended'

async function userOf({ tokens, failures }: Credentials, token: string, address: string): Promise<VerifiedToken> {
  const digest = sha256(token)
  return tokens.known(digest) ?? (await failures.watch(address, digest, () => tokens.verify(token, digest)))
}

/** The owner of an API key that may be used from there. Fails as `authenticate`. */
export async function ownerOf(
  { apiKeys, failures, keyAddresses }: Pick<Credentials, 'apiKeys' | 'failures' | 'keyAddresses'>,
  key: string,
  { from, address }: Place,
): Promise<UsedKey> {
  const hash = apiKeyHash(key)
  const owner = apiKeys.known(hash) ?? (await failures.watch(address, hash, () => apiKeys.ownerOf(key, hash)))
  const used = { ...owner, hash }
  await keyAddresses.require(used, from)
  return used
}

function bearerOf(authorization: string): string {
  const [, token] = /^Bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(authorization) ?? []
  if (token === undefined) throw fail('UNAUTHORIZED', { message: noBearer })
  return token
}

/** A user without a participant (an administrator) acts for the participant whose key it sends. */
function withParticipant(caller: Caller, participantId: string | null): Caller {
  if (caller.participantId === participantId) return caller
  if (caller.participantId === null) return { ...caller, participantId }
  throw fail('INVALID_API_KEY', { message: 'The API key is not that of your participant' })
}

/** A user may send the token only while its participant has no key, or if it has no participant. */
async function requireNoKeyYet({ hasKey }: Credentials, { participantId }: Caller): Promise<void> {
  if (participantId !== null && (await hasKey(participantId))) throw fail('UNAUTHORIZED', { message: keyToo })
}
