import { messageOf } from '@bursar/contracts/log'
import { addressList, apiKeyHash, type Seal } from '@bursar/http'
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
import { fail } from '../errors'
import type { ApiKey, ApiKeyFacts, ApiKeyState, NewApiKey } from './api-keys.model'
import { apiKeys } from './api-keys.table'
import { expiryOf } from './expiry'
import { requestHandover } from './handovers'
import { newKey } from './key-text'
import { getParticipant } from './participants'

type ApiKeyRow = typeof apiKeys.$inferSelect

/** The dependencies of issuing keys. */
interface KeyMaking {
  seal: Seal
  config: Pick<Config, 'environment'>
}

const hourMs = 60 * 60 * 1000
const usualValidHours = 24

/**
 * Issues a key to a participant. Earlier keys stay valid for a day, or for `previousValidHours`; the
 * participant service gets the new one, once it knows the participant. Fails when there is no such participant
 * (404), it was offboarded (409), or the expiration is invalid (400).
 */
export async function issueApiKey(
  tx: Tx,
  { seal, config }: KeyMaking,
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
    const message = messageOf(error)
    throw fail('INVALID_REQUEST', { message, fields: [{ field: 'addresses', message }] })
  }
}

/** Makes the keys of a participant expire at a time; those that expire earlier are unchanged. */
export async function endApiKeys(tx: Tx, participantId: string, revokedAt: Date): Promise<void> {
  await revokeKeys(tx).execute({ participantId, revokedAt })
}

/** The newest key of a participant, valid or not; undefined when it has none. */
export async function newestApiKey(db: Db, participantId: string): Promise<ApiKeyRow | undefined> {
  const [row] = await newestKeys(db).execute({ participantId, limit: 1 })
  return row
}

/** The number of keys that people are shown: older ones have ended. */
const mostListed = 20

/** The newest keys of a participant, valid or not, newest first. */
export const listedApiKeys = (db: Db, participantId: string): Promise<ApiKeyRow[]> =>
  newestKeys(db).execute({ participantId, limit: mostListed })

/** The newest key of a participant, if it is valid; undefined otherwise. */
export async function validApiKey(db: Db, participantId: string, now: Date): Promise<ApiKeyRow | undefined> {
  const row = await newestApiKey(db, participantId)
  return row && statusOf(row, now) === 'valid' ? row : undefined
}

/** The number of a participant's keys sent to other services: older ones have expired. */
const mostTold = 100

/** The keys of a participant by their hashes, newest first, with their validity. */
export async function issuedKeys(db: Db, participantId: string): Promise<{ keyHash: string; validUntil: string }[]> {
  const rows = await newestKeys(db).execute({ participantId, limit: mostTold })
  return rows.map((row) => ({ keyHash: row.keyHash, validUntil: endOf(row).toISOString() }))
}

/**
 * Until when the keys before those issued since a time are valid: each of these ends them, and the earliest end holds.
 * The newest key counts whenever it was issued. Null for no end.
 */
export async function previousEnd(db: Db, participantId: string, since: Date | null): Promise<Date | null> {
  const rows = await newestKeys(db).execute({ participantId, limit: mostTold })
  const counted = rows.filter(({ createdAt }, age) => age === 0 || since === null || createdAt > since)
  const ends = counted.flatMap(({ previousUntil }) => previousUntil?.getTime() ?? [])
  return ends.length === 0 ? null : new Date(Math.min(...ends))
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

function statusOf(row: ApiKeyRow, now: Date): ApiKeyState['status'] {
  if (endOf(row) > now) return 'valid'
  return row.revokedAt !== null && row.revokedAt <= now ? 'revoked' : 'expired'
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
