import type { Tx } from '@bursar/store'
import { fail } from '../errors'
import { orphanMember, refuseOthers, setMembers } from '../members/members'
import { applyChanges, dropParticipant, goLive, readParticipant } from '../participants/participants'
import { customersOf, readSaga, saveSaga, stepsOf } from '../sagas/saga'

/**
 * The saga's effect, all of it or nothing: the participant gets its customers, and is created or changed. Fails (409) when
 * one that was nobody's at its plan is another participant's by now: an owner never changes.
 */
export async function finish(tx: Tx, id: string, now: Date): Promise<void> {
  const saga = await readSaga(tx, id)
  if (saga.state !== 'running') return
  const customerIds = customersOf(saga, await stepsOf(tx, id)).filter((customerId) => customerId !== null)
  if (customerIds.length < saga.members.length) throw new Error(`Saga ${id} lacks some of its customers`)
  const row = await readParticipant(tx, saga.participantId)
  if (!row) throw fail('NOT_FOUND')
  await refuseOthers(tx, row.id, customerIds)
  await setMembers(tx, row.id, customerIds)
  if (saga.kind === 'create') await goLive(tx, row, now)
  else await applyChanges(tx, row, saga.changes ?? {}, now)
  await saveSaga(tx, { ...saga, state: 'done', changes: null, finishedAt: now })
}

/** Ends a failed saga, once all its records are marked deleted. */
export async function abandon(tx: Tx, id: string, orphans: readonly string[], now: Date): Promise<void> {
  const saga = await readSaga(tx, id)
  if (saga.state !== 'undoing') return
  for (const customerId of orphans) await orphanMember(tx, customerId)
  if (saga.kind === 'create') await dropParticipant(tx, saga.participantId, now)
  await saveSaga(tx, { ...saga, state: 'failed', changes: null, finishedAt: now })
}
