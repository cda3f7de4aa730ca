import { getApiKeyByHash } from '@bursar/contracts/main-api'
import { getParticipantByKeyHash } from '@bursar/contracts/participant'
import { type Caller, type Client, createSingleFlight, isOfEnvironment, type ServiceConfig } from '@bursar/http'
import { createBoundedCache } from '../bounded-cache'
import { fail } from '../errors'

/** Looks up the owners of API keys. */
export interface ApiKeys {
  /** The caller of a recently looked-up key; undefined if it must be looked up. */
  known(hash: string): Caller | undefined
  /** Looks it up. Fails: 401 INVALID_API_KEY; rejects with CallError when the owning services cannot be reached. */
  callerOf(key: string, hash: string): Promise<Caller>
  /** The same for a key whose text was checked before. */
  callerOfHash(hash: string): Promise<Caller>
}

const keptMs = 5000
const mostKeys = 20_000
const longestKey = 255

interface Owner {
  participantId: string
  /** Until when the key is valid. */
  validUntil: number
}

export function createApiKeys(client: Client, environment: ServiceConfig['environment'], now: () => number): ApiKeys {
  const found = createBoundedCache<{ caller: Caller; until: number }>(mostKeys)
  const once = createSingleFlight<Owner | null>()

  /** The main API issues keys; the participant service has those of participants created without it. */
  async function ownerOf(keyHash: string): Promise<Owner | null> {
    const issued = await client.find(getApiKeyByHash, { params: { keyHash } })
    if (issued?.status === 'valid') {
      return { participantId: issued.participantId, validUntil: Date.parse(issued.validUntil) }
    }
    const participant = issued ? null : await client.find(getParticipantByKeyHash, { params: { keyHash } })
    return participant && { participantId: participant.id, validUntil: Number.POSITIVE_INFINITY }
  }
  async function callerOfHash(hash: string): Promise<Caller> {
    const owner = await once(hash, () => ownerOf(hash))
    if (!owner || owner.validUntil <= now()) throw fail('INVALID_API_KEY')
    const { participantId, validUntil } = owner
    const caller: Caller = { kind: 'participant', subject: participantId, participantId, roles: [] }
    found.set(hash, { caller, until: Math.min(now() + keptMs, validUntil) })
    return caller
  }

  return {
    callerOfHash,
    known(hash) {
      const entry = found.get(hash)
      return entry && entry.until > now() ? entry.caller : undefined
    },
    async callerOf(key, hash) {
      // Keys of the other environment are refused without a look-up (decisions, Who may call 8).
      if (key.length > longestKey || !isOfEnvironment(key, environment)) throw fail('INVALID_API_KEY')
      return await callerOfHash(hash)
    },
  }
}
