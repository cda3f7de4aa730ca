import { readCall } from '@bursar/contracts/call'
import { getCustomerByExternalId } from '@bursar/contracts/customer'
import { getBankAccountState } from '@bursar/contracts/main-api'
import { type AccountOwner, getAccountOwner, getAccountOwners, getCustomerOwner } from '@bursar/contracts/participant'
import { nullable, t } from '@bursar/contracts/schema'
import { type Client, gathered } from '@bursar/http'
import { createLookUp } from '../bounded-cache'
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
const mostKept = 10_000
const calls = 4

/** The participants of customers and accounts, each asked for by itself: a participant may have a hundred thousand. */
function createParticipantsOf(client: Client, now: () => number) {
  const remembered = (ask: (id: string) => Promise<{ participantId: string } | null>) =>
    createLookUp(async (id) => (await ask(id))?.participantId ?? null, {
      most: mostKept,
      now,
      keptMs: (participantId) => (participantId === null ? 0 : keptMs),
    })
  const accountOwner = gathered<string, AccountOwner | null>({
    one: (accountId) => client.find(getAccountOwner, { params: { accountId } }),
    many: async (items) => (await client.call(getAccountOwners, { body: { items } })).items,
    calls,
  })
  return {
    customer: remembered((customerId) => client.find(getCustomerOwner, { params: { customerId } })),
    account: remembered(accountOwner),
  }
}

export function createOwners(client: Client, now: () => number): Owners {
  const participantOf = createParticipantsOf(client, now)

  async function isAccount(participantId: string, ids: readonly (string | null | undefined)[]): Promise<boolean> {
    const given = ids.filter((id) => typeof id === 'string')
    return (await Promise.all(given.map(participantOf.account))).includes(participantId)
  }

  const isCustomer = async (participantId: string, customerId: string): Promise<boolean> =>
    (await participantOf.customer(customerId)) === participantId

  async function isCustomerNamed(participantId: string, externalId: string): Promise<boolean> {
    if (!isName(externalId)) return false
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

/** Whether a text can be a customer's external id. */
const isName = (text: string): boolean => text.isWellFormed() && /^.{1,255}$/su.test(text)

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
