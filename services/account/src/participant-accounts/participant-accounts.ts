import { and, type Db, eq, newId, param, prepared, type Tx } from '@bursar/store'
import { type AccountRow, addAccount } from '../accounts/accounts'
import { accounts } from '../accounts/accounts.table'

/** The types of which a participant has one account each. */
export type ParticipantAccountType = 'OMNIBUS' | 'FEE_PAYER'

const names: Record<ParticipantAccountType, string> = { OMNIBUS: 'Omnibus account', FEE_PAYER: 'Fee payer account' }

/** The participant's account of that type; undefined before it is created. */
export async function findParticipantAccount(
  db: Db,
  participantId: string,
  type: ParticipantAccountType,
): Promise<AccountRow | undefined> {
  const [row] = await accountOf(db).execute({ participantId, type })
  return row
}

/** The participant's account of that type, created when it has none. */
export async function requireParticipantAccount(
  tx: Tx,
  participantId: string,
  type: ParticipantAccountType,
  now: Date,
): Promise<AccountRow> {
  const known = await findParticipantAccount(tx, participantId, type)
  if (known) return known
  const row: AccountRow = {
    id: newId(),
    customerId: null,
    customerExternalId: null,
    walletAccountId: null,
    accountExternalId: null,
    type,
    status: 'active',
    name: names[type],
    customerName: null,
    participantId,
    createdAt: now,
  }
  await addAccount(tx, row)
  return row
}

const accountOf = prepared((db) =>
  db
    .select()
    .from(accounts)
    .where(and(eq(accounts.participantId, param('participantId')), eq(accounts.type, param('type')))),
)
