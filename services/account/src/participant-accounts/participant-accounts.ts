import { getParticipantByKeyHash } from '@bursar/contracts/participant'
import type { Deps } from '@bursar/http'
import { and, type Db, eq, param, prepared, type Tx } from '@bursar/store'
import { type AccountRow, addAccount } from '../accounts/accounts'
import { accounts } from '../accounts/accounts.table'
import { fail } from '../errors'

/** The types of which a participant has one account each. */
export type ParticipantAccountType = 'OMNIBUS' | 'FEE_PAYER'

const names: Record<ParticipantAccountType, string> = { OMNIBUS: 'Omnibus account', FEE_PAYER: 'Fee payer account' }

/**
 * The participant that a request proves: the one that the gateway found, else the owner of the API key in X-API-KEY. Fails
 * when there is none (401), and with a CallError when the participant service cannot answer.
 */
export async function authenticatedParticipant(
  { identity, client }: Pick<Deps, 'identity' | 'client'>,
  request: Request,
): Promise<string> {
  const caller = await identity.read(request)
  if (caller?.participantId) return caller.participantId
  const key = request.headers.get('x-api-key')
  if (!key) throw fail('UNAUTHORIZED')
  const keyHash = new Bun.CryptoHasher('sha256').update(key).digest('hex')
  const owner = await client.find(getParticipantByKeyHash, { params: { keyHash } })
  if (!owner) throw fail('UNAUTHORIZED', { message: 'The API key in X-API-KEY belongs to no participant' })
  return owner.id
}

/** The participant's account of that type; undefined when it has none yet. */
export async function findParticipantAccount(
  db: Db,
  participantId: string,
  type: ParticipantAccountType,
): Promise<AccountRow | undefined> {
  const [row] = await accountOf(db).execute({ participantId, type })
  return row
}

/** The participant's account of that type, made when it has none. */
export async function requireParticipantAccount(
  tx: Tx,
  participantId: string,
  type: ParticipantAccountType,
  now = new Date(),
): Promise<AccountRow> {
  const known = await findParticipantAccount(tx, participantId, type)
  if (known) return known
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
