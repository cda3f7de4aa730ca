import {
  accessTokenAudience,
  accessTokenIssuer,
  PublicKey,
  type Revocation,
  type RoleName,
} from '@bursar/contracts/identity-manager'
import type { PfiRecord, PfiStatus } from '@bursar/contracts/main-api'
import type { ParticipantRecord } from '@bursar/contracts/participant'
import { type LocalServer, localServer } from '@bursar/testing'
import type { Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'

/** A key pair of an identity manager. */
export interface SigningKey {
  kid: string
  privateKey: CryptoKey
  publicJwk: Static<typeof PublicKey>
}

export async function signingKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  const publicJwk: unknown = { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA', use: 'sig' }
  if (!Value.Check(PublicKey, publicJwk)) throw new Error('The key pair is not Ed25519')
  return { kid, privateKey, publicJwk }
}

export interface TokenOptions {
  sub?: string
  sid?: string
  roles?: RoleName[]
  participantId?: string | null
  custodianId?: string | null
  audience?: string
  issuer?: string
  /** Seconds from now. */
  expiresIn?: number
  kid?: string
  /** Whether the user must set up a second factor first. */
  mustEnrol?: true
}

/** An access token as the identity manager signs it, or as somebody else would. */
export const tokenOf = async ({ kid, privateKey }: SigningKey, options: TokenOptions = {}): Promise<string> => {
  const now = Math.floor(Date.now() / 1000)
  const { roles = ['participant-admin'], participantId = null, custodianId = null, mustEnrol } = options
  return await new SignJWT({ sid: options.sid ?? Bun.randomUUIDv7(), roles, participantId, custodianId, mustEnrol })
    .setProtectedHeader({ alg: 'EdDSA', kid: options.kid ?? kid })
    .setSubject(options.sub ?? Bun.randomUUIDv7())
    .setIssuer(options.issuer ?? accessTokenIssuer)
    .setAudience(options.audience ?? accessTokenAudience)
    .setIssuedAt(now)
    .setExpirationTime(now + (options.expiresIn ?? 900))
    .sign(privateKey)
}

const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const notFound = () => Response.json({ error: { code: 'NOT_FOUND', message: 'Not found' } }, { status: 404 })

/** Stands in for the identity manager: its keys, and the sessions that it ended. */
export function identityPeer(keys: SigningKey[]) {
  const revoked: Revocation[] = []
  let epoch = 1
  const handle = (request: Request): Response | Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/v1/.well-known/jwks.json') return Response.json({ keys: keys.map((key) => key.publicJwk) })
    if (pathname !== '/internal/revocations/changes') return echo(request)
    const after = Number(searchParams.get('after'))
    const items = revoked.map((record, i) => ({ record, version: i + 1 })).filter(({ version }) => version > after)
    return Response.json({ epoch, items, more: false })
  }
  return {
    server: localServer(handle),
    /** What it answers by itself. */
    handle,
    keys,
    /** Its database was set back to one in which no session had ended. */
    restore() {
      epoch += 1
      revoked.length = 0
    },
    /** Ends a session. */
    revoke(id: string) {
      const now = Date.now()
      const [revokedAt, until] = [now, now + 900_000].map((at) => new Date(at).toISOString()) as [string, string]
      revoked.push({ id, userId: Bun.randomUUIDv7(), revokedAt, until })
    },
  }
}

/** An API key that a peer knows. */
export interface KnownKey {
  participantId: string
  status?: 'valid' | 'expired' | 'revoked'
  validUntil?: string
  addresses?: string[] | null
}

/** Records that changed, as their owner lists them: `restart` begins another run of its database. */
export function changedRecords<R extends { id: string }>() {
  let epoch = 1
  let version = 0
  let items: { version: number; record: R }[] = []
  return {
    put(record: R) {
      version += 1
      items = [...items.filter((each) => each.record.id !== record.id), { version, record }]
    },
    has: (id: string) => items.some(({ record }) => record.id === id),
    /** The database is an older one: it never had this record. */
    restart({ without }: { without: string }) {
      epoch += 1
      items = items.filter(({ record }) => record.id !== without)
    },
    page(url: string) {
      const after = Number(new URL(url).searchParams.get('after'))
      return Response.json({ epoch, items: items.filter((each) => each.version > after), more: false })
    },
  }
}

/** Stands in for the main API: the keys that it issued, which participants have one, and the institutions' status. */
export function mainPeer() {
  const keys = new Map<string, KnownKey>()
  const institutions = changedRecords<PfiRecord>()
  let other: (path: string, isLookUp: boolean) => object | undefined = () => undefined
  const handle = (request: Request): Response | Promise<Response> => {
    const { pathname } = new URL(request.url)
    const [, hash] = /^\/internal\/api-keys\/by-hash\/(.+)$/.exec(pathname) ?? []
    const [, participant] = /^\/internal\/participants\/(.+)\/key-state$/.exec(pathname) ?? []
    if (hash) {
      const key = keys.get(hash)
      return key
        ? Response.json({ status: 'valid', validUntil: '2999-01-01T00:00:00.000Z', addresses: null, ...key })
        : notFound()
    }
    if (pathname === '/internal/pfi/changes') return institutions.page(request.url)
    const answer = other(pathname, isLookUp(request))
    if (answer) return Response.json(answer)
    if (!participant) return isLookUp(request) ? notFound() : echo(request)
    const hasKey = [...keys.values()].some(({ participantId }) => participantId === participant)
    if (!hasKey && !institutions.has(participant)) return notFound()
    return Response.json({ hasKey, issuedAt: null })
  }
  const server = localServer(handle)
  return {
    server,
    handle,
    institutions,
    issue: (text: string, key: KnownKey) => void keys.set(sha256(text), key),
    /** Sets the status of an institution. */
    move: (id: string, status: PfiStatus) => institutions.put({ id, name: 'Bank', country: 'NO', status }),
    /** What it answers at other paths. */
    answerOther(answer: (path: string, isLookUp: boolean) => object | undefined) {
      other = answer
    },
  }
}

/** Stands in for the participant service: the keys of participants that were made there. */
export function participantPeer() {
  const keys = new Map<string, string>()
  const participants = changedRecords<ParticipantRecord>()
  const server = localServer((request) => {
    if (new URL(request.url).pathname === '/internal/participants/changes') return participants.page(request.url)
    const [, hash] = /^\/internal\/participants\/by-key\/(.+)$/.exec(new URL(request.url).pathname) ?? []
    if (!hash) return echo(request)
    const id = keys.get(hash)
    return id ? Response.json({ id, omnibusAccountId: null, feePayerAccountId: null }) : notFound()
  })
  return {
    server,
    participants,
    know: (text: string, id: string) => void keys.set(sha256(text), id),
    delete: (id: string) =>
      participants.put({
        id,
        institutionName: 'Bank',
        omnibusAccountId: null,
        feePayerAccountId: null,
        deletedAt: new Date().toISOString(),
      }),
  }
}

/** Whether the gateway itself asks, not a caller through it. */
export const isLookUp = (request: Request): boolean =>
  JSON.parse(atob((request.headers.get('x-identity') ?? '').split('.')[1] || 'bnVsbA'))?.kind === 'service'

/** Says what it was sent. */
export async function echo(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const headers = Object.fromEntries(request.headers)
  return Response.json({ method: request.method, path: pathname + search, headers, body: await request.text() })
}

export const echoPeer = (): LocalServer => localServer(echo)
