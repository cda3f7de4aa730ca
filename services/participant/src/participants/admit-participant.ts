import type { Admission } from '@bursar/contracts/participant'
import type { Tx } from '@bursar/store'
import type { ApiKeys } from '../api-keys/api-keys'
import { fail } from '../errors'
import { addParticipant, applyChanges, goLive, keyOwner, keyTaken, participantRecords } from './participants'

/**
 * Creates the participant of an institution that the main API has approved, under that institution's id, or takes over
 * its name and API key. The same again changes nothing. Fails when the key is another participant's (409), or the
 * participant was deleted here (404): it stays so.
 */
export async function admitParticipant(
  tx: Tx,
  apiKeys: ApiKeys,
  { id, institutionName, authConsumerId }: Admission & { id: string },
  now = new Date(),
): Promise<void> {
  const keyHash = apiKeys.hash(authConsumerId)
  const owner = await keyOwner(tx, keyHash)
  if (owner && owner.id !== id) throw keyTaken()
  const sealedKey = apiKeys.seal(authConsumerId, id)
  const known = await participantRecords.stateOf(tx, id)
  if (!known) {
    const row = { id, institutionName, routerData: null, keyHash, sealedKey }
    await goLive(tx, await addParticipant(tx, row, now), now)
    return
  }
  const { row } = known
  if (row.deletedAt) throw fail('NOT_FOUND', { message: 'The participant was deleted' })
  if (row.keyHash === keyHash && row.institutionName === institutionName) return
  await applyChanges(tx, row, { institutionName, keyHash, sealedKey }, now)
}
