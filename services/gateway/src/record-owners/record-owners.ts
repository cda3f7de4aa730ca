import { getAccountStates } from '@bursar/contracts/account'
import { getCustomerState } from '@bursar/contracts/customer'
import { getCustomerOwner, getParticipantState } from '@bursar/contracts/participant'
import { type Client, ifCallFails, mapConcurrent } from '@bursar/http'
import { createLookUp } from '../bounded-cache'
import type { RecordOwner } from './record-owners.model'

/** Names the owners of accounts and customers, for lists. Unknown ids are left out. */
type RecordOwners = (accounts: readonly string[], customers: readonly string[]) => Promise<RecordOwner[]>

/** A customer never changes its institution; names seldom change. */
const keptMs = 60_000
const parallel = 8

/** If a service is away its names are missing: a list is not held up by them. */
export function createRecordOwners(client: Client, now: () => number): RecordOwners {
  /** Found names are cached; missing ones are asked for again. */
  const remembered = (ask: (id: string) => Promise<string | null | undefined>) =>
    createLookUp(async (id) => (await ask(id)) ?? null, {
      most: 10_000,
      now,
      keptMs: (name) => (name === null ? 0 : keptMs),
    })
  const institutionOf = remembered(
    async (customerId) => (await client.find(getCustomerOwner, { params: { customerId } }))?.participantId,
  )
  const institutionName = remembered(
    async (id) => (await client.find(getParticipantState, { params: { id } }))?.institutionName,
  )
  const customerName = remembered(
    async (id) => (await client.find(getCustomerState, { params: { id } }))?.customer.externalId,
  )
  async function namesOf(ids: readonly string[], name: (id: string) => Promise<string | null>) {
    const each = [...new Set(ids)]
    const found = await mapConcurrent(each, parallel, (id) => ifCallFails(name(id), () => null))
    return new Map(each.map((id, i) => [id, found[i] ?? null]))
  }

  return async (accounts, customers) => {
    const records = [...(await accountsOf(client, accounts)), ...customers.map(customerRecord)]
    const owned = records.flatMap(({ customerId }) => customerId ?? [])
    const owners = await namesOf(owned, institutionOf)
    const whole = records.map((record) => ({
      ...record,
      participantId: record.participantId ?? owners.get(record.customerId ?? '') ?? null,
    }))
    const [institutions, names] = await Promise.all([
      namesOf(
        whole.flatMap(({ participantId }) => participantId ?? []),
        institutionName,
      ),
      namesOf(
        whole.flatMap((record) => (record.customerName === null ? (record.customerId ?? []) : [])),
        customerName,
      ),
    ])
    return whole.map((record) => ({
      ...record,
      customerName: record.customerName ?? names.get(record.customerId ?? '') ?? null,
      institutionName: institutions.get(record.participantId ?? '') ?? null,
    }))
  }
}

const customerRecord = (id: string): RecordOwner => ({
  id,
  accountName: null,
  customerId: id,
  customerName: null,
  participantId: null,
  institutionName: null,
})

async function accountsOf(client: Client, ids: readonly string[]): Promise<RecordOwner[]> {
  if (ids.length === 0) return []
  const answer = await ifCallFails(client.call(getAccountStates, { body: { items: [...ids] } }), () => ({ items: [] }))
  return answer.items.flatMap((state) => {
    if (state === null) return []
    const { id, name, customerId, customerName, customerExternalId } = state.account
    return [
      {
        id,
        accountName: name,
        customerId,
        customerName: customerName ?? customerExternalId,
        participantId: state.participantId,
        institutionName: null,
      },
    ]
  })
}
