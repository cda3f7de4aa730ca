import { and, asc, type Db, defineList, eq, exists, param, prepared } from '@bursar/store'
import { bankAccounts } from '../custodian-banks/bank-accounts.table'
import type { ParticipantRow } from '../participants/participants'
import { participants } from '../participants/participants.table'

const isAtBank = eq(bankAccounts.custodianBankId, param('custodianBankId'))
/** Looked up once per participant: there are far fewer participants than accounts. */
const hasAccount = (db: Db) =>
  exists(
    db
      .select({ id: bankAccounts.id })
      .from(bankAccounts)
      .where(and(isAtBank, eq(bankAccounts.participantId, participants.id))),
  )

/** The participants with an account at a custodian bank, by age. */
export const bankParticipantList = defineList({
  id: participants.id,
  rows: (db) => db.select().from(participants),
  to: (row): ParticipantRow => row,
  read: (values: { custodianBankId: string }) => ({ form: {}, values }),
  where: (_, db) => hasAccount(db),
  isSparse: () => true,
  countsAll: true,
})

/** The ids of all participants with an account at a custodian bank, oldest first. */
export const idsOfBankParticipants = prepared((db) =>
  db.select({ id: participants.id }).from(participants).where(hasAccount(db)).orderBy(asc(participants.id)),
)
