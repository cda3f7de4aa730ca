import { readCall } from '@bursar/contracts/call'
import { getBankAccountState } from '@bursar/contracts/main-api'
import { nullable, t } from '@bursar/contracts/schema'
import { type Client, createSingleFlight } from '@bursar/http'
import { createBoundedCache } from '../bounded-cache'
import type { OwnedKind } from './rules'

/** Finds out to whom objects belong, by asking the services that own them. */
export interface Owners {
  /** Whether an object is the participant's; false also for one that is not there. Rejects with CallError. */
  isOwn(participantId: string, kind: OwnedKind, id: string): Promise<boolean>
}

/** A participant's customers and accounts. */
interface Holdings {
  at: number
  customers: ReadonlySet<string>
  externalIds: ReadonlySet<string>
  accounts: ReadonlySet<string>
}

const getHoldings = readCall(
  'participant',
  'GET',
  '/v1/participants/:id',
  t.Object({
    omnibusAccountId: nullable(t.String()),
    feePayerAccountId: nullable(t.String()),
    customers: t.Array(
      t.Object({ id: t.String(), externalId: t.String(), accounts: t.Array(t.Object({ id: t.String() })) }),
    ),
  }),
)
const optional = t.Optional(nullable(t.String()))
const getTransaction = readCall(
  'core-ledger',
  'GET',
  '/v1/transactions/:id',
  t.Object({ accountId: t.String(), toAccountId: optional }),
)
const getMessage = readCall('message', 'GET', '/v1/messages/:id', t.Object({ participantId: t.String() }))
const parties = t.Object({ fromParticipant: optional, toParticipant: optional })
const getPayment = readCall('transaction-manager', 'GET', '/v1/transactions/:id', parties)
const getPaymentByReference = readCall('transaction-manager', 'GET', '/v1/deposit/:id', parties)

/** A customer or an account stays with its participant; one that was just made is looked for again. */
const keptMs = 5000
const soonMs = 250

export function createOwners(client: Client, now: () => number = Date.now): Owners {
  const kept = createBoundedCache<Holdings>(1000)
  const once = createSingleFlight<Holdings>()
  const participantsOf = lookUps(client)

  async function ask(id: string): Promise<Holdings> {
    const at = now()
    const found = await client.find(getHoldings, { params: { id } })
    const customers = found?.customers ?? []
    const accounts = [
      ...customers.flatMap((customer) => customer.accounts.map((account) => account.id)),
      ...[found?.omnibusAccountId, found?.feePayerAccountId].filter((own) => typeof own === 'string'),
    ]
    const holdings = {
      at,
      customers: new Set(customers.map((customer) => customer.id)),
      externalIds: new Set(customers.map(({ externalId }) => externalId)),
      accounts: new Set(accounts),
    }
    kept.set(id, holdings)
    return holdings
  }

  async function holds(id: string, has: (holdings: Holdings) => boolean): Promise<boolean> {
    const known = kept.get(id)
    if (known && now() - known.at < keptMs && (has(known) || now() - known.at < soonMs)) return has(known)
    return has(await once(id, () => ask(id)))
  }

  const isAccount = (participantId: string, ids: readonly (string | null | undefined)[]) =>
    holds(participantId, ({ accounts }) => ids.some((id) => typeof id === 'string' && accounts.has(id)))

  const checks: Record<OwnedKind, (participantId: string, id: string) => Promise<boolean>> = {
    participant: async (participantId, id) => participantId === id,
    customer: (participantId, id) => holds(participantId, ({ customers }) => customers.has(id)),
    customerExternalId: (participantId, id) => holds(participantId, ({ externalIds }) => externalIds.has(id)),
    account: (participantId, id) => isAccount(participantId, [id]),
    async transaction(participantId, id) {
      const found = await client.find(getTransaction, { params: { id } })
      return found !== null && (await isAccount(participantId, [found.accountId, found.toAccountId]))
    },
    message: async (participantId, id) => (await participantsOf.message(id)).includes(participantId),
    payment: async (participantId, id) => (await participantsOf.payment(id)).includes(participantId),
    paymentReference: async (participantId, id) => (await participantsOf.paymentReference(id)).includes(participantId),
    // A participant's own id stands for its account in the payment's currency.
    bankAccount: async (participantId, id) =>
      participantId === id || (await participantsOf.bankAccount(id)).includes(participantId),
  }
  return {
    async isOwn(participantId, kind, id) {
      if (isUuid.test(id)) return await checks[kind](participantId, id.toLowerCase())
      return namedOtherwise.has(kind) && (await checks[kind](participantId, id))
    },
  }
}

/** The participants that an object belongs to; none for one that is not there. */
function lookUps(client: Client) {
  return {
    message: async (id: string) => [(await client.find(getMessage, { params: { id } }))?.participantId],
    async payment(id: string) {
      const found = await client.find(getPayment, { params: { id } })
      return [found?.fromParticipant, found?.toParticipant]
    },
    async paymentReference(id: string) {
      const found = await client.find(getPaymentByReference, { params: { id } })
      return [found?.fromParticipant, found?.toParticipant]
    },
    bankAccount: async (id: string) => [(await client.find(getBankAccountState, { params: { id } }))?.participantId],
  }
}

/** All others have UUIDs. */
const namedOtherwise: ReadonlySet<OwnedKind> = new Set(['customerExternalId', 'paymentReference'])

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
