import { currentParticipant } from '../callers/callers'
import { and, asc, type Db, eq, isNull, param, prepared } from '@bursar/store'
import { bankAccounts } from '../bank-accounts/bank-accounts.table'
import { custodianBanks } from '../custodian-banks/custodian-banks.table'
import type { MainApiDeps } from '../deps'
import { fail } from '../errors'

export type CustodianRow = typeof custodianBanks.$inferSelect

/**
 * The custodian bank that a request is about (decisions, A caller's custodian): that of a custodian user, else that of
 * the first account of the caller's participant. Fails with 401 where the request proves neither user nor participant,
 * and with 404 where its caller has no custodian bank, or one that was deleted.
 */
export async function callingCustodian(deps: MainApiDeps, request: Request): Promise<CustodianRow> {
  const { store, identity } = deps
  const caller = await identity.read(request)
  const isUnproved = caller === null || caller.kind === 'anonymous'
  const participantId = isUnproved ? await currentParticipant(deps, request) : caller.participantId
  const id = caller?.custodianId ?? (participantId === null ? null : await bankOf(store.read, participantId))
  const custodian = id === null ? undefined : await findCustodian(store.read, id)
  if (!custodian) throw fail('NOT_FOUND', { message: 'The caller has no custodian bank' })
  return custodian
}

/** The bank of a participant's first account; null where it has no account. */
async function bankOf(db: Db, participantId: string): Promise<string | null> {
  const [account] = await firstAccount(db).execute({ participantId })
  return account?.custodianBankId ?? null
}

async function findCustodian(db: Db, id: string): Promise<CustodianRow | undefined> {
  const [row] = await custodianById(db).execute({ id })
  return row
}

const firstAccount = prepared((db) =>
  db
    .select({ custodianBankId: bankAccounts.custodianBankId })
    .from(bankAccounts)
    .where(eq(bankAccounts.participantId, param('participantId')))
    .orderBy(asc(bankAccounts.id))
    .limit(1),
)
const custodianById = prepared((db) =>
  db
    .select()
    .from(custodianBanks)
    .where(and(eq(custodianBanks.id, param('id')), isNull(custodianBanks.deletedAt))),
)
