import { currentRequestId } from '@bursar/http'
import type { Tx } from '@bursar/store'
import { mask } from '../api-keys/api-keys'
import type { ParticipantDeps } from '../app'
import { fail } from '../errors'
import { setMembers } from '../members/members'
import { planCustomers, refuseExternalIds } from '../sagas/plan'
import { addSaga, type ResolvedChanges, unfinishedSagaOf } from '../sagas/saga'
import { applyChanges, keyOwner, keyTaken, liveParticipant, type ParticipantRow } from './participants'
import type { Participant, ParticipantChanges } from './participants.model'
import { getParticipant } from './read-participant'
import { requestHash } from './request-hash'

type ChangeDeps = Pick<ParticipantDeps, 'store' | 'apiKeys' | 'sagas'>

/**
 * Changes the fields that are given. `customers` names all that the participant shall have (plan.ts): what is new is
 * made in the other services. When they are away this rejects (502, 503, 504), nothing of the participant changes
 * yet, and it goes on in the background; the same request again gets the result. Fails when there is no such
 * participant (404), when the key or an externalId is another's, or another change is under way (409).
 */
export async function changeParticipant(
  deps: ChangeDeps,
  id: string,
  changes: ParticipantChanges,
): Promise<Participant> {
  refuseExternalIds(changes.customers ?? [])
  if (Object.keys(changes).length > 0) {
    const sagaId = await deps.store.commit((tx) => begin(tx, deps, id, changes, new Date()))
    if (sagaId !== null) await deps.sagas.result(sagaId)
  }
  return await getParticipant(deps.store.read, deps.apiKeys, id)
}

/** Changes at once what needs nobody else: null. Else stores a saga, or finds the one of the same request: its id. */
async function begin(
  tx: Tx,
  { apiKeys }: ChangeDeps,
  id: string,
  changes: ParticipantChanges,
  now: Date,
): Promise<string | null> {
  const row = await liveParticipant(tx, id)
  const hash = requestHash(id, changes)
  const under = await unfinishedSagaOf(tx, id)
  if (under) {
    if (under.requestHash === hash) return under.id
    throw fail('CONFLICT')
  }
  const resolved = resolve({ apiKeys }, row, changes)
  if (resolved.keyHash !== undefined && (await keyOwner(tx, resolved.keyHash))) throw keyTaken()
  const plan = changes.customers ? await planCustomers(tx, id, changes.customers) : null
  if (!plan || plan.steps.length === 0) {
    if (plan)
      await setMembers(
        tx,
        id,
        plan.members.filter((member) => member !== null),
      )
    await applyChanges(tx, row, resolved, now)
    return null
  }
  const saga = {
    id: Bun.randomUUIDv7(),
    participantId: id,
    kind: 'change',
    state: 'running',
    checked: false,
    changes: resolved,
    members: plan.members,
    requestHash: hash,
    idempotencyKey: null,
    requestId: currentRequestId(),
    answered: false,
    failure: null,
    createdAt: now,
    finishedAt: null,
  } as const
  await addSaga(tx, saga, plan.steps)
  return saga.id
}

/** The key that is sent back as it was shown, masked or in full, stays what it is. */
function resolve({ apiKeys }: Pick<ChangeDeps, 'apiKeys'>, row: ParticipantRow, changes: ParticipantChanges) {
  const { institutionName, routerData, authConsumerId } = changes
  const resolved: ResolvedChanges = {}
  if (institutionName !== undefined) resolved.institutionName = institutionName
  if (routerData !== undefined) resolved.routerData = routerData
  if (authConsumerId === undefined || authConsumerId === mask) return resolved
  const keyHash = apiKeys.hash(authConsumerId)
  return keyHash === row.keyHash ? resolved : { ...resolved, keyHash, sealedKey: apiKeys.seal(authConsumerId, row.id) }
}
