import { and, asc, count, type Db, eq, exists, getTableColumns, param, prepared } from '@bursar/store'
import { bankAccounts } from '../custodian-banks/bank-accounts.table'
import type { ParticipantRow } from '../participants/participants'
import { participants } from '../participants/participants.table'

/** A page of the participants with an account at a custodian bank, oldest first, and their total. */
export async function pageOfBankParticipants(
  db: Db,
  custodianBankId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ParticipantRow[]; total: number }> {
  const [counted] = await countAtBank(db).execute({ custodianBankId })
  const total = counted?.total ?? 0
  const rows = limit === 0 || offset >= total ? [] : await pageAtBank(db).execute({ custodianBankId, limit, offset })
  return { rows, total }
}

/** The ids of all participants with an account at a custodian bank, oldest first. */
export async function idsOfBankParticipants(db: Db, custodianBankId: string): Promise<string[]> {
  return (await idsAtBank(db).execute({ custodianBankId })).map(({ id }) => id)
}

const isAtBank = eq(bankAccounts.custodianBankId, param('custodianBankId'))
/** Looked up once per participant: there are far fewer participants than accounts. */
const hasAccount = (db: Db) =>
  exists(
    db
      .select({ id: bankAccounts.id })
      .from(bankAccounts)
      .where(and(isAtBank, eq(bankAccounts.participantId, participants.id))),
  )

const pageAtBank = prepared((db) =>
  db
    .select(getTableColumns(participants))
    .from(participants)
    .where(hasAccount(db))
    .orderBy(asc(participants.id))
    .limit(param('limit'))
    .offset(param('offset')),
)
const countAtBank = prepared((db) => db.select({ total: count() }).from(participants).where(hasAccount(db)))
const idsAtBank = prepared((db) =>
  db.select({ id: participants.id }).from(participants).where(hasAccount(db)).orderBy(asc(participants.id)),
)
