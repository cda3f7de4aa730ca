import { randomBytes } from 'node:crypto'
import { messageOf } from '@bursar/contracts/log'
import { addressList, apiKeyHash, apiKeyPrefixes, type Seal } from '@bursar/http'
import {
  and,
  type Db,
  desc,
  eq,
  gt,
  insertInto,
  isNull,
  newId,
  or,
  param,
  prepared,
  rowBy,
  type Tx,
} from '@bursar/store'
import type { Config } from '../config'
import type { MainApiDeps } from '../deps'
import { badFields, fail } from '../errors'
import type { ApiKey, ApiKeyFacts, ApiKeyState, NewApiKey } from './api-keys.model'
import { apiKeys } from './api-keys.table'
import { expiryOf } from './expiry'
import { requestHandover } from './handovers'
import { getParticipant } from './participants'

type ApiKeyRow = typeof apiKeys.$inferSelect

const hourMs = 60 * 60 * 1000
const usualValidHours = 24

/**
 * Issues a key to a participant. Earlier keys stay valid for a day, or for `previousValidHours`; the
 * participant service gets the new one, once it knows the participant. Fails when there is no such participant
 * (404), it was offboarded (409), or the expiration is invalid (400).
 */
export async function issueApiKey(
  tx: Tx,
  { seal, config }: Pick<MainApiDeps, 'seal' | 'config'>,
  {
    participantId,
    expirationDate,
    previousValidHours = usualValidHours,
    addresses,
  }: NewApiKey & { participantId: string },
  now: Date,
): Promise<ApiKeyRow> {
  const { status, approvedAt } = await getParticipant(tx, participantId)
  if (status === 'OFFBOARDED') throw fail('CONFLICT', { message: 'An offboarded participant cannot get an API key' })
  const expiresAt = expiryOf(expirationDate, now)
  if (addresses) requireAddresses(addresses)
  const previousUntil = new Date(now.getTime() + previousValidHours * hourMs)
  await endApiKeys(tx, participantId, previousUntil)
  const key = newKey(config.environment)
  const id = newId()
  const sealedKey = seal.seal(key, id)
  const row: ApiKeyRow = {
    id,
    participantId,
    keyHash: apiKeyHash(key),
    sealedKey,
    addresses: addresses ?? null,
    createdAt: now,
    expiresAt,
    revokedAt: null,
    previousUntil,
  }
  await insertKey(tx).execute(row)
  if (approvedAt) await requestHandover(tx, { participantId, kind: 'admission' }, now)
  return row
}

/** Fails (400) for an entry that is neither an address nor a network. */
function requireAddresses(addresses: readonly string[]): void {
  try {
    addressList(addresses)
  } catch (error) {
    throw badFields({ field: 'addresses', message: messageOf(error) })
  }
}

/** Makes the keys of a participant expire at a time; those that expire earlier are unchanged. */
export const endApiKeys = (tx: Tx, participantId: string, revokedAt: Date): Promise<unknown> =>
  revokeKeys(tx).execute({ participantId, revokedAt })

/** The newest keys of a participant, valid or not, newest first. */
export const newestApiKeys = (db: Db, participantId: string, limit: number): Promise<ApiKeyRow[]> =>
  newestKeys(db).execute({ participantId, limit })

/** The newest key of a participant, valid or not; undefined when it has none. */
export const newestApiKey = async (db: Db, participantId: string): Promise<ApiKeyRow | undefined> =>
  (await newestApiKeys(db, participantId, 1))[0]

/** The newest key of a participant, if it is valid; undefined otherwise. */
export async function validApiKey(db: Db, participantId: string, now: Date): Promise<ApiKeyRow | undefined> {
  const row = await newestApiKey(db, participantId)
  return row && isValid(row, now) ? row : undefined
}

/** The number of a participant's keys sent to other services: older ones have expired. */
const mostTold = 100

/**
 * What the participant service gets of a participant's keys: the newest one while it is valid, the end of each by its
 * hash, and until when the keys before those issued since a time are valid: each of these ends them, and the earliest end
 * holds. The newest key counts there whenever it was issued. Null for no end.
 */
export async function keysToTell(db: Db, participantId: string, since: Date | null, now: Date) {
  const rows = await newestApiKeys(db, participantId, mostTold)
  const counted = rows.filter(({ createdAt }, age) => age === 0 || since === null || createdAt > since)
  const ends = counted.flatMap(({ previousUntil }) => previousUntil?.getTime() ?? [])
  return {
    key: rows.slice(0, 1).find((row) => isValid(row, now)),
    issued: rows.map((row) => ({ keyHash: row.keyHash, validUntil: endOf(row).toISOString() })),
    previousUntil: ends.length === 0 ? null : new Date(Math.min(...ends)),
  }
}

/** The key with this hash, and whether it is valid; undefined when it was not issued here. */
export async function apiKeyState(db: Db, keyHash: string, now: Date): Promise<ApiKeyState | undefined> {
  const row = await keyByHash(db, keyHash)
  if (!row) return undefined
  const validUntil = endOf(row).toISOString()
  return { participantId: row.participantId, status: statusOf(row, now), validUntil, addresses: row.addresses }
}

/** The key in full, for its participant. */
export const toApiKey = (row: ApiKeyRow, seal: Seal): ApiKey => ({
  id: row.id,
  apiKey: seal.open(row.sealedKey, row.id),
  createdAt: row.createdAt.toISOString(),
  expirationDate: row.expiresAt.toISOString(),
})

/** The key masked, for others: just enough to recognise it. */
export function toApiKeyFacts(row: ApiKeyRow, seal: Seal, now: Date): ApiKeyFacts {
  const { id, apiKey, createdAt, expirationDate } = toApiKey(row, seal)
  const masked = `${apiKey.slice(0, apiKey.lastIndexOf('_') + 1)}…${apiKey.slice(-4)}`
  const validUntil = endOf(row).toISOString()
  return { id, masked, status: statusOf(row, now), createdAt, expirationDate, validUntil, addresses: row.addresses }
}

const endOf = ({ expiresAt, revokedAt }: ApiKeyRow): Date =>
  revokedAt !== null && revokedAt < expiresAt ? revokedAt : expiresAt

const isValid = (row: ApiKeyRow, now: Date): boolean => endOf(row) > now

function statusOf(row: ApiKeyRow, now: Date): ApiKeyState['status'] {
  if (isValid(row, now)) return 'valid'
  return row.revokedAt !== null && row.revokedAt <= now ? 'revoked' : 'expired'
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** The length of 32 bytes in base 62. */
const length = 43

/** A new API key: the environment's prefix and 32 random bytes in base 62 (decisions, Who may call 8). */
export function newKey(environment: Config['environment']): string {
  let rest = BigInt(`0x${randomBytes(32).toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text
  return apiKeyPrefixes[environment] + text.padStart(length, '0')
}

const insertKey = insertInto(apiKeys)
const revokeKeys = prepared((db) =>
  db
    .update(apiKeys)
    .set({ revokedAt: param('revokedAt') })
    .where(
      and(
        eq(apiKeys.participantId, param('participantId')),
        or(isNull(apiKeys.revokedAt), gt(apiKeys.revokedAt, param('revokedAt'))),
      ),
    ),
)
const newestKeys = prepared((db) =>
  db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.participantId, param('participantId')))
    .orderBy(desc(apiKeys.id))
    .limit(param('limit')),
)
const keyByHash = rowBy(apiKeys, 'keyHash')
