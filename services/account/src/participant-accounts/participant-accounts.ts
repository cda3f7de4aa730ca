import type { Account } from '@bursar/contracts/account'
import { getParticipantByKeyHash } from '@bursar/contracts/participant'
import { CallError, type Deps, failedCall } from '@bursar/http'
import { and, eq, param, prepared, type Store } from '@bursar/store'
import { type AccountRow, addAccount, toAccount } from '../accounts/accounts'
import { accounts } from '../accounts/accounts.table'
import { fail } from '../errors'

/** The accounts that a participant has one of each. */
export type ParticipantAccountType = 'OMNIBUS' | 'FEE_PAYER'

const names: Record<ParticipantAccountType, string> = { OMNIBUS: 'Omnibus account', FEE_PAYER: 'Fee payer account' }

/**
 * The participant that a request proves: what the gateway found, else whose API key stands in X-API-KEY. Fails with 401
 * when there is none, and (502, 503, 504) when the participant service cannot tell.
 */
export async function authenticatedParticipant({ identity, client }: Deps, request: Request): Promise<string> {
  const caller = await identity.read(request)
  if (caller?.participantId) return caller.participantId
  const key = request.headers.get('x-api-key')
  if (!key) throw fail('UNAUTHORIZED')
  const keyHash = new Bun.CryptoHasher('sha256').update(key).digest('hex')
  try {
    return (await client.call(getParticipantByKeyHash, { params: { keyHash } })).id
  } catch (error) {
    if (error instanceof CallError && error.status === 404) {
      throw fail('UNAUTHORIZED', { message: 'The API key in X-API-KEY belongs to no participant', cause: error })
    }
    throw failedCall(error)
  }
}

/** The participant's account of that type, made when it has none. Calls at the same time make one. */
export async function participantAccount(
  store: Store,
  participantId: string,
  type: ParticipantAccountType,
  now = new Date(),
): Promise<Account> {
  const wanted = { participantId, type }
  const [known] = await accountOf(store.read).execute(wanted)
  if (known) return toAccount(known)
  return await store.commit(async (tx) => {
    const [meanwhile] = await accountOf(tx).execute(wanted)
    if (meanwhile) return toAccount(meanwhile)
    const row: AccountRow = {
      id: Bun.randomUUIDv7(),
      customerId: null,
      customerExternalId: null,
      walletAccountId: null,
      accountExternalId: null,
      type,
      status: 'active',
      name: names[type],
      customerName: null,
      participantId,
      version: 1,
      createdAt: now,
    }
    await addAccount(tx, row)
    return toAccount(row)
  })
}

const accountOf = prepared((db) =>
  db
    .select()
    .from(accounts)
    .where(and(eq(accounts.participantId, param('participantId')), eq(accounts.type, param('type')))),
)
