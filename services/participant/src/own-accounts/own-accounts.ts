import { and, isNull, notInArray, prepared, type Tx, updateBy } from '@bursar/store'
import type { AccountRow } from '../accounts/accounts'
import { accounts } from '../accounts/accounts.table'
import { applyChanges, type ParticipantRow, readParticipant } from '../participants/participants'
import { participants } from '../participants/participants.table'

const fields = { OMNIBUS: 'omnibusAccountId', FEE_PAYER: 'feePayerAccountId' } as const
type Field = (typeof fields)[keyof typeof fields]

/** Notes a participant's omnibus or fee-payer account. Changes nothing when it is known, or the participant is deleted. */
export async function attachAccount(tx: Tx, { id, type, participantId }: AccountRow, now: Date): Promise<void> {
  if (participantId === null || (type !== 'OMNIBUS' && type !== 'FEE_PAYER')) return
  const row = await readParticipant(tx, participantId)
  if (row && row[fields[type]] !== id) await setAccount(tx, row, fields[type], id, now)
}

/** Takes accounts from participants that the account service does not know any more. */
export async function detachMissingAccounts(tx: Tx, now: Date): Promise<void> {
  for (const field of Object.values(fields)) {
    for (const row of await withMissing[field](tx).execute()) await setAccount(tx, row, field, null, now)
  }
}

async function setAccount(tx: Tx, row: ParticipantRow, field: Field, id: string | null, now: Date): Promise<void> {
  if (row.live) await applyChanges(tx, row, { [field]: id }, now)
  // No event yet: the event of its creation carries the account.
  else await updateAccounts(tx).execute({ ...row, [field]: id })
}

const withMissingAccount = (field: Field) =>
  prepared((db) =>
    db
      .select()
      .from(participants)
      .where(
        and(
          isNull(participants.deletedAt),
          notInArray(participants[field], db.select({ id: accounts.id }).from(accounts)),
        ),
      ),
  )
const withMissing = {
  omnibusAccountId: withMissingAccount('omnibusAccountId'),
  feePayerAccountId: withMissingAccount('feePayerAccountId'),
}
const updateAccounts = updateBy(participants, 'id', ['omnibusAccountId', 'feePayerAccountId'])
