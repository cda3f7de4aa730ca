import { getParticipantByKeyHash, getParticipantState } from '@bursar/contracts/participant'
import { apiKeyHash } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'

/** A participant, and the account that pays its transactions. */
export interface Payer {
  participantId: string
  /** Null when it has none. */
  omnibusAccountId: string | null
}

/**
 * The calling participant: as found by the gateway, else the owner of the API key in X-API-KEY. Fails with 401
 * when there is none, and (502, 503, 504) when the participant service fails.
 */
export async function payerOf({ identity, client }: BlockchainDeps, request: Request): Promise<Payer> {
  const caller = await identity.read(request)
  const key = request.headers.get('x-api-key')
  if (caller?.participantId) {
    const found = await client.find(getParticipantState, { params: { id: caller.participantId } })
    if (found?.deletedAt === null) return toPayer(found)
  } else if (key) {
    const found = await client.find(getParticipantByKeyHash, { params: { keyHash: apiKeyHash(key) } })
    if (found) return toPayer(found)
  }
  throw fail('UNAUTHORIZED')
}

const tries = 5
const pauseMs = 200

/**
 * The participant with its omnibus account. The participant service learns of a new one by an event, so one just
 * created may be unknown for a moment: it is retried for a second.
 */
export async function omnibusPayerOf(deps: BlockchainDeps, request: Request): Promise<Payer> {
  let payer = await payerOf(deps, request)
  for (let i = 0; i < tries && payer.omnibusAccountId === null; i++) {
    await Bun.sleep(pauseMs)
    payer = await payerOf(deps, request)
  }
  return payer
}

const toPayer = ({ id, omnibusAccountId }: { id: string; omnibusAccountId: string | null }): Payer => ({
  participantId: id,
  omnibusAccountId,
})
