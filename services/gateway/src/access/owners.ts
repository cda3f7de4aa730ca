import { readCall } from '@bursar/contracts/call'
import { getCustomerByExternalId } from '@bursar/contracts/customer'
import { getBankAccountState } from '@bursar/contracts/main-api'
import { getCustomerOwner } from '@bursar/contracts/participant'
import { nullable, t } from '@bursar/contracts/schema'
import { type Client, createSingleFlight } from '@bursar/http'
import { createTimedCache } from '../bounded-cache'
import type { OwnedKind } from './rules'

/** Looks up the owners of objects at their services. */
export interface Owners {
  /** Whether an object is the caller's own; false also for an unknown one. Rejects with CallError. */
  isOwn(owner: Owner, kind: OwnedKind, id: string): Promise<boolean>
}

/** The owner whose objects a caller may use: its participant or its custodian bank. */
export interface Owner {
  readonly participantId: string | null
  readonly custodianId: string | null
}

/** A participant's customers and accounts. */
interface Holdings {
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
const getTransaction = readCall(
  'core-ledger',
  'GET',
  '/v1/transactions/:id',
  // Only transfers have a receiver.
  t.Object({ accountId: t.String(), toAccountId: t.Optional(t.String()) }),
)
const getMessage = readCall('message', 'GET', '/v1/messages/:id', t.Object({ participantId: t.String() }))
const parties = t.Object({
  data: t.Object({ fromParticipant: nullable(t.String()), toParticipant: nullable(t.String()) }),
})
const getPayment = readCall('transaction-manager', 'GET', '/v1/transactions/:id', parties)
const getPaymentByReference = readCall('transaction-manager', 'GET', '/v1/deposit/:id', parties)
const getBanksOfParticipant = readCall(
  'main-api',
  'GET',
  '/v1/participants/:id/accounts',
  t.Object({ data: t.Array(t.Object({ custodianBankId: t.String() })) }),
)

/** A customer or an account never changes its participant; an unknown one may be new. */
const keptMs = 5000

export function createOwners(client: Client, now: () => number): Owners {
  const kept = createTimedCache<Holdings>(1000, now)
  const once = createSingleFlight<Holdings>()

  async function ask(id: string): Promise<Holdings> {
    const found = await client.find(getHoldings, { params: { id } })
    const customers = found?.customers ?? []
    const accounts = [
      ...customers.flatMap((customer) => customer.accounts.map((account) => account.id)),
      ...[found?.omnibusAccountId, found?.feePayerAccountId].filter((own) => typeof own === 'string'),
    ]
    const holdings = {
      customers: new Set(customers.map((customer) => customer.id)),
      externalIds: new Set(customers.map(({ externalId }) => externalId)),
      accounts: new Set(accounts),
    }
    kept.set(id, holdings, keptMs)
    return holdings
  }

  async function holds(id: string, has: (holdings: Holdings) => boolean): Promise<boolean> {
    const known = kept.get(id)
    if (known && has(known)) return true
    return has(await once(id, () => ask(id)))
  }

  const isAccount = (participantId: string, ids: readonly (string | null | undefined)[]) =>
    holds(participantId, ({ accounts }) => ids.some((id) => typeof id === 'string' && accounts.has(id)))

  /** Also a newly created one. */
  async function isCustomer(participantId: string, customerId: string): Promise<boolean> {
    if (await holds(participantId, ({ customers }) => customers.has(customerId))) return true
    return (await client.find(getCustomerOwner, { params: { customerId } }))?.participantId === participantId
  }

  async function isCustomerNamed(participantId: string, externalId: string): Promise<boolean> {
    if (await holds(participantId, ({ externalIds }) => externalIds.has(externalId))) return true
    if (!isSegment(externalId)) return false
    const found = await client.find(getCustomerByExternalId, { query: { externalId } })
    return found !== null && (await isCustomer(participantId, found.customer.id))
  }

  const isParty = (call: typeof getPayment) => async (participantId: string, id: string) => {
    const found = await client.find(call, { params: { id } })
    return found?.data.fromParticipant === participantId || found?.data.toParticipant === participantId
  }

  type OfParticipant = Exclude<OwnedKind, 'custodianBank' | 'participantAtBank'>
  const checks: Record<OfParticipant, (participantId: string, id: string) => Promise<boolean>> = {
    participant: async (participantId, id) => participantId === id,
    customer: isCustomer,
    customerExternalId: isCustomerNamed,
    account: (participantId, id) => isAccount(participantId, [id]),
    async transaction(participantId, id) {
      const found = await client.find(getTransaction, { params: { id } })
      return found !== null && (await isAccount(participantId, [found.accountId, found.toAccountId]))
    },
    message: async (participantId, id) =>
      (await client.find(getMessage, { params: { id } }))?.participantId === participantId,
    payment: isParty(getPayment),
    async paymentOfPayer(participantId, id) {
      const found = await client.find(getPayment, { params: { id } })
      return found?.data.fromParticipant === participantId
    },
    paymentReference: isParty(getPaymentByReference),
    // A participant's id means its account in the payment's currency.
    bankAccount: async (participantId, id) =>
      participantId === id ||
      (await client.find(getBankAccountState, { params: { id } }))?.participantId === participantId,
  }

  /** Whether a participant has an account at a custodian bank. */
  async function isAtBank(custodianId: string, participantId: string): Promise<boolean> {
    const found = await client.find(getBanksOfParticipant, { params: { id: participantId } })
    return found?.data.some(({ custodianBankId }) => custodianBankId === custodianId) === true
  }

  return {
    async isOwn({ participantId, custodianId }, kind, id) {
      const isNamed = isUuid.test(id)
      if (!isNamed && !namedOtherwise.has(kind)) return false
      const object = isNamed ? id.toLowerCase() : id
      if (kind === 'custodianBank') return custodianId === object
      if (kind === 'participantAtBank') return custodianId !== null && (await isAtBank(custodianId, object))
      return participantId !== null && (await checks[kind](participantId, object))
    },
  }
}

/** All others have UUIDs. */
const namedOtherwise: ReadonlySet<OwnedKind> = new Set(['customerExternalId', 'paymentReference'])

/** Whether a name can be a path segment: not too long, and not a dot segment. */
const isSegment = (name: string): boolean => name.isWellFormed() && /^(?!\.\.?$).{1,255}$/su.test(name)

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
