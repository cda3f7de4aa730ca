import { exampleInstitutionKey } from '@bursar/contracts/examples'
import { forParticipant } from '@bursar/http'
import { asc, eq, param, prepared } from '@bursar/store'
import { bankAccounts } from '../custodian-banks/bank-accounts.table'
import { type CustodianBankRow, findCustodianBank } from '../custodian-banks/custodian-banks'
import type { MainApiDeps } from '../deps'
import { fail } from '../errors'
import { currentParticipant } from '../participants/callers'

/**
 * The custodian bank of the caller (decisions, A caller's custodian): that of a custodian user, else that of
 * the first account of the caller's participant. Fails with 401 when the request proves neither a user nor a
 * participant, and with 404 when its caller has no custodian bank, or a deleted one.
 */
export async function callingCustodian(deps: MainApiDeps, request: Request): Promise<CustodianBankRow> {
  const { store } = deps
  const id = await custodianIdOf(deps, request)
  const bank = id === null ? undefined : await findCustodianBank(store.read, id)
  if (!bank) throw fail('NOT_FOUND', { message: 'The caller has no custodian bank' })
  return bank
}

async function custodianIdOf(deps: MainApiDeps, request: Request): Promise<string | null> {
  const caller = await deps.identity.read(request)
  if (caller?.custodianId) return caller.custodianId
  if (caller?.kind === 'user' && caller.participantId === null && !request.headers.has('x-api-key')) return null
  const participantId = await currentParticipant(deps, request)
  const [account] = await firstAccount(deps.store.read).execute({ participantId })
  return account?.custodianBankId ?? null
}

const firstAccount = prepared((db) =>
  db
    .select({ custodianBankId: bankAccounts.custodianBankId })
    .from(bankAccounts)
    .where(eq(bankAccounts.participantId, param('participantId')))
    .orderBy(asc(bankAccounts.id))
    .limit(1),
)

/** The errors of routes of the caller's custodian bank when there is none. */
export const custodianFailures = {
  401: 'The request proves neither a user nor a participant',
  404: 'The caller has no custodian bank',
  503: 'The participant service, which knows the API key, cannot be reached',
}

/** The notes of routes of the caller's custodian bank. */
export const forCustodian = { ...forParticipant(exampleInstitutionKey), ...custodianFailures }
