import { apiKeyHash, type Seal } from '@bursar/http'
import type { Tx } from '@bursar/store'
import { newId } from '@bursar/store'
import { mask } from '../api-keys/api-keys'
import { fail } from '../errors'
import { addSaga, findSaga, type SagaRow, saveSaga } from '../sagas/saga'
import { addParticipant, goLive, keyHolder, keyTaken, liveParticipant, type ParticipantRow } from './participants'
import type { NewParticipant } from './participants.model'
import { planCustomers, refuseCustomers } from './plan'
import { requestHash } from './request-hash'

/** A request to create a participant. */
export interface Creation {
  input: NewParticipant
  /** The request's idempotency key. */
  idempotencyKey: string | null
  requestId: string | null
}

/** Fails (400) for errors that the schema cannot express. */
export function refuseInput({ authConsumerId, customers }: NewParticipant): void {
  if (authConsumerId === mask) {
    throw fail('INVALID_REQUEST', { message: 'authConsumerId must be the key itself, not its mask' })
  }
  refuseCustomers(customers)
}

/** Creates a participant that has no customers. Fails (409) when its key is taken. */
export async function createParticipant(
  tx: Tx,
  apiKeys: Seal,
  input: NewParticipant,
  now: Date,
): Promise<ParticipantRow> {
  if (await keyHolder(tx, apiKeyHash(input.authConsumerId), now)) throw keyTaken()
  return await goLive(tx, await addParticipant(tx, newRow(apiKeys, input), now), now)
}

/**
 * Stores a participant that is not live and the saga that creates its customers and accounts in their own services, or
 * finds the saga of the request that this one repeats, by its body. Returns the saga's id, which is the
 * participant's. Fails (409) when the key or an externalId is taken.
 */
export async function beginCreation(
  tx: Tx,
  apiKeys: Seal,
  { input, idempotencyKey, requestId }: Creation,
  now: Date,
): Promise<string> {
  const hash = requestHash('POST', input)
  const holder = await keyHolder(tx, apiKeyHash(input.authConsumerId), now)
  if (holder) {
    const saga = await findSaga(tx, holder.id)
    if (saga && repeats(saga, hash, idempotencyKey)) return holder.id
    throw keyTaken()
  }
  const { id } = await addParticipant(tx, newRow(apiKeys, input), now)
  const { members, steps } = await planCustomers(tx, id, input.customers, { setsStatus: true })
  const request = { requestHash: hash, idempotencyKey, requestId }
  await addSaga(tx, { id, participantId: id, kind: 'create', changes: null, members, ...request }, steps, now)
  return id
}

/** The participant that a creation with customers has produced; marks the saga as answered. */
export async function takeCreation(tx: Tx, id: string): Promise<ParticipantRow> {
  const saga = await findSaga(tx, id)
  if (saga && !saga.answered) await saveSaga(tx, { ...saga, answered: true })
  return await liveParticipant(tx, id)
}

function newRow(apiKeys: Seal, { institutionName, routerData = null, authConsumerId }: NewParticipant) {
  const id = newId()
  const sealedKey = apiKeys.seal(authConsumerId, id)
  const key = { keyHash: apiKeyHash(authConsumerId), keyValidUntil: null, sealedKey }
  return { id, institutionName, routerData, ...key }
}

/** An answered result is returned again only for its idempotency key; an unanswered one also for the same body. */
const repeats = (saga: SagaRow, hash: string, idempotencyKey: string | null): boolean =>
  saga.requestHash === hash && (!saga.answered || (idempotencyKey !== null && idempotencyKey === saga.idempotencyKey))
