import { getApiKeyByHash } from '@bursar/contracts/main-api'
import { getParticipantByKeyHash } from '@bursar/contracts/participant'
import {
  addressList,
  type Caller,
  type Client,
  createSingleFlight,
  isListed,
  isOfEnvironment,
  type ServiceConfig,
} from '@bursar/http'
import { createTimedCache } from '../bounded-cache'
import { fail } from '../errors'

export type ApiKeys = ReturnType<typeof createApiKeys>

/** The owner of an API key, and where it may be used. */
interface KeyOwner {
  readonly caller: Caller
  readonly isAllowedFrom: (address: string) => boolean
}

const keptMs = 5000
const mostKeys = 20_000
const longestKey = 255

interface Owner {
  participantId: string
  /** Until when the key is valid. */
  validUntil: number
  /** Null for any. */
  addresses: readonly string[] | null
}

/** Looks up the owners of API keys. */
export function createApiKeys(client: Client, environment: ServiceConfig['environment'], now: () => number) {
  const found = createTimedCache<KeyOwner>(mostKeys, now)
  const once = createSingleFlight<{ known: Owner | null; at: number }>()

  /** The main API issues keys; the participant service has those of participants created without it. */
  async function lookUp(keyHash: string): Promise<Owner | null> {
    const issued = await client.find(getApiKeyByHash, { params: { keyHash } })
    if (issued?.status === 'valid') {
      const { participantId, addresses } = issued
      return { participantId, validUntil: Date.parse(issued.validUntil), addresses }
    }
    const participant = issued ? null : await client.find(getParticipantByKeyHash, { params: { keyHash } })
    return participant && { participantId: participant.id, validUntil: Number.POSITIVE_INFINITY, addresses: null }
  }
  /** The owner of a key whose text was checked before. Fails as `ownerOf`. */
  async function ownerOfHash(hash: string): Promise<KeyOwner> {
    // From before the look-up: a key may end while its answer is on the way.
    const { known, at } = await once(hash, async () => ({ at: now(), known: await lookUp(hash) }))
    if (!known || known.validUntil <= now()) throw fail('INVALID_API_KEY')
    const { participantId, validUntil, addresses } = known
    const list = addresses && addressList(addresses)
    const owner: KeyOwner = {
      caller: { kind: 'participant', subject: participantId, participantId, roles: [] },
      isAllowedFrom: (address) => list === null || isListed(list, address),
    }
    found.set(hash, owner, Math.min(keptMs, at + keptMs - now(), validUntil - now()))
    return owner
  }

  return {
    ownerOfHash,
    /** A recently looked-up key; undefined if it must be looked up. */
    known: found.get,
    /** Looks it up. Fails: 401 INVALID_API_KEY; rejects with CallError when the owning services cannot be reached. */
    async ownerOf(key: string, hash: string): Promise<KeyOwner> {
      // Keys of the other environment are refused without a look-up (decisions, Who may call 8).
      if (key.length > longestKey || !isOfEnvironment(key, environment)) throw fail('INVALID_API_KEY')
      return await ownerOfHash(hash)
    },
  }
}
