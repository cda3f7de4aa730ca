import type { Admission } from '@bursar/contracts/participant'
import { apiKeyHash, type Seal } from '@bursar/http'
import type { Tx } from '@bursar/store'
import { ownAccountsOf } from '../accounts/accounts'
import { findFormerKey, keepFormerKey } from '../api-keys/former-keys'
import { fail } from '../errors'
import {
  addParticipant,
  applyChanges,
  endKey,
  goLive,
  keyHolder,
  keyTaken,
  type ParticipantRow,
  participantRecords,
} from './participants'

type Admitted = Admission & { id: string }

/**
 * Creates the participant of an institution that the main API has approved, under that institution's id, or updates
 * its name and its API keys. A repeat changes nothing. Fails when the key is another participant's (409), or the
 * participant was deleted here (404): it stays deleted.
 */
export async function admitParticipant(tx: Tx, apiKeys: Seal, admission: Admitted, now: Date): Promise<void> {
  const { id, institutionName, authConsumerId, issued = [] } = admission
  const keyHash = apiKeyHash(authConsumerId)
  const holder = await keyHolder(tx, keyHash, now)
  if (holder && holder.id !== id) throw keyTaken()
  const key = { keyHash, keyValidUntil: endOf(keyHash, admission), sealedKey: apiKeys.seal(authConsumerId, id) }
  const known = await participantRecords.stateOf(tx, id)
  if (!known) {
    const added = await addParticipant(tx, { id, institutionName, routerData: null, ...key }, now)
    // Its accounts may be older than the approval is here.
    await goLive(tx, { ...added, ...(await ownAccountsOf(tx, id)) }, now)
  } else {
    const { row } = known
    if (row.deletedAt) throw fail('NOT_FOUND', { message: 'The participant was deleted' })
    const previousUntil = admission.previousUntil === undefined ? undefined : new Date(admission.previousUntil)
    const isNew = await isNewKey(tx, row, keyHash, admission, now)
    const changes = { institutionName, ...(isNew ? { ...key, previousUntil } : {}) }
    if (isNew || row.institutionName !== institutionName) await applyChanges(tx, row, changes, now)
  }
  for (const each of issued) await takeIssued(tx, id, each, now)
}

const endOf = (keyHash: string, { issued = [] }: Admission): Date | null => {
  const found = issued.find((key) => key.keyHash === keyHash)
  return found ? new Date(found.validUntil) : null
}

/** A key that was replaced here does not come back; a placeholder only ends the others. */
async function isNewKey(
  tx: Tx,
  row: ParticipantRow,
  keyHash: string,
  { isPlaceholder = false, previousUntil }: Admission,
  now: Date,
): Promise<boolean> {
  if (row.keyHash === keyHash || (await findFormerKey(tx, keyHash, now))) return false
  return !isPlaceholder || previousUntil !== undefined
}

/** Stores the expiry of an issued key: the participant's present one or another. */
async function takeIssued(
  tx: Tx,
  participantId: string,
  { keyHash, validUntil }: { keyHash: string; validUntil: string },
  now: Date,
): Promise<void> {
  const end = new Date(validUntil)
  const holder = await keyHolder(tx, keyHash, now)
  if (holder && holder.id !== participantId) return
  if (holder?.keyHash === keyHash) await endKey(tx, holder, end)
  else await keepFormerKey(tx, { keyHash, participantId, validUntil: end }, now)
}
