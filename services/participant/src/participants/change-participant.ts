import { apiKeyHash, type Seal } from '@bursar/http'
import type { Tx } from '@bursar/store'
import { newId } from '@bursar/store'
import { mask } from '../api-keys/api-keys'
import { fail } from '../errors'
import { setMembers } from '../members/members'
import { addSaga, unfinishedSagaOf } from '../sagas/saga'
import type { ResolvedChanges } from '../sagas/saga-parts'
import { applyChanges, keyHolder, keyTaken, liveParticipant, type ParticipantRow } from './participants'
import type { ParticipantChanges } from './participants.model'
import { planCustomers } from './plan'
import { requestHash } from './request-hash'

/** A request to change a participant. */
export interface Change {
  id: string
  changes: ParticipantChanges
  /** Whether the caller may set the status of known customers and accounts. */
  setsStatus: boolean
  requestId: string | null
}

/**
 * Changes the given fields. `customers` lists all customers of the participant (plan.ts). A change that needs no other
 * service is made at once, and null is returned. Any other is stored as a saga, or the saga of a repeated request is
 * found; its id is returned. The participant does not change before the saga ends. Fails when there is no such
 * participant (404), when the key or an externalId is another's, or another change is under way (409).
 */
export async function beginChange(
  tx: Tx,
  apiKeys: Seal,
  { id, changes, setsStatus, requestId }: Change,
  now: Date,
): Promise<string | null> {
  const row = await liveParticipant(tx, id)
  if (Object.keys(changes).length === 0) return null
  const hash = requestHash(id, changes)
  const unfinished = await unfinishedSagaOf(tx, id)
  if (unfinished?.requestHash === hash) return unfinished.id
  if (unfinished) throw fail('CONFLICT')
  const resolved = resolve(apiKeys, row, changes)
  const holder = resolved.keyHash === undefined ? undefined : await keyHolder(tx, resolved.keyHash, now)
  if (holder && holder.id !== id) throw keyTaken()
  const plan = changes.customers ? await planCustomers(tx, id, changes.customers, { setsStatus }) : null
  if (!plan || plan.steps.length === 0) {
    if (plan)
      await setMembers(
        tx,
        id,
        plan.members.flatMap((member) => member ?? []),
      )
    await applyChanges(tx, row, resolved, now)
    return null
  }
  const { members, steps } = plan
  const saga = { id: newId(), participantId: id, kind: 'change', changes: resolved, members } as const
  await addSaga(tx, { ...saga, requestHash: hash, idempotencyKey: null, requestId }, steps, now)
  return saga.id
}

/** A key sent back as it was answered, masked or in full, is unchanged. */
function resolve(apiKeys: Seal, row: ParticipantRow, changes: ParticipantChanges): ResolvedChanges {
  const { institutionName, routerData, authConsumerId } = changes
  const resolved: ResolvedChanges = {}
  if (institutionName !== undefined) resolved.institutionName = institutionName
  if (routerData !== undefined) resolved.routerData = routerData
  if (authConsumerId === undefined || authConsumerId === mask) return resolved
  const keyHash = apiKeyHash(authConsumerId)
  return keyHash === row.keyHash ? resolved : { ...resolved, keyHash, sealedKey: apiKeys.seal(authConsumerId, row.id) }
}
