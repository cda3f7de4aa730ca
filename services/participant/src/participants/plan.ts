import type { Db } from '@bursar/store'
import { type AccountRow, accountsOfAll } from '../accounts/accounts'
import { fail } from '../errors'
import { externalIdTaken, membersWithExternalIds } from '../members/members'
import type { PlannedStep } from '../sagas/saga'
import type { PlannedMember } from '../sagas/saga-parts'
import { mostNestedAccounts, type NestedAccount, type NestedCustomer } from './participants.model'

/** The steps that give a participant the customers of a request. */
export interface Plan {
  members: PlannedMember[]
  steps: PlannedStep[]
}

/**
 * Compares the requested customers of a participant with the known ones. A customer that is, or was, the participant's
 * own (by externalId) is kept and gets the requested status; its accounts are compared by type and name. All others are
 * created. Nothing is ever removed: a customer that is not named leaves the participant, an account that is not named
 * stays as it is. Fails (409) when an externalId is another participant's, or for another status than the present one from
 * a caller that sets none: except of records that a failed saga has marked deleted, and that are nobody's.
 */
export async function planCustomers(
  db: Db,
  participantId: string,
  wanted: readonly NestedCustomer[],
  { setsStatus }: { setsStatus: boolean },
): Promise<Plan> {
  const plan: Plan = { members: [], steps: [] }
  const found = await membersWithExternalIds(
    db,
    wanted.map(({ externalId }) => externalId),
  )
  const knownBy = new Map(found.map((customer) => [customer.externalId, customer]))
  const held = await accountsOfAll(
    db,
    found.map(({ id }) => id),
  )
  const accountsBy = Map.groupBy(held, ({ customerId }) => customerId)
  for (const [member, { externalId, status, accounts = [] }] of wanted.entries()) {
    const known = knownBy.get(externalId)
    const owner = known?.participantId ?? participantId
    if (owner !== participantId) throw externalIdTaken(externalId)
    const id = known?.id ?? null
    plan.members.push(id)
    const maySet = (before: string) => setsStatus || (known?.participantId === null && before === 'deleted')
    const add = (step: Pick<PlannedStep, 'kind' | 'input' | 'targetId'>) =>
      plan.steps.push({ ...step, member, position: plan.steps.length, done: false })
    if (!known) add({ kind: 'create-customer', input: { externalId, status }, targetId: null })
    else if (known.status !== status) {
      if (!maySet(known.status)) throw statusKept(`customer ${externalId}`, known.status)
      add({ kind: 'customer-status', input: { status }, targetId: id })
    }
    const existing = accountsBy.get(id) ?? []
    for (const account of accounts) {
      const step = stepFor(account, existing)
      if (step?.kind === 'account-status' && !maySet(step.before))
        throw statusKept(`account ${account.name}`, step.before)
      if (step) add({ kind: step.kind, input: step.input, targetId: step.targetId })
    }
  }
  return plan
}

/** Of several accounts with one type and name, each is matched once. Null when there is nothing to do. */
function stepFor({ type, status, name }: NestedAccount, existing: AccountRow[]) {
  const at = existing.findIndex((account) => account.type === type && account.name === name)
  const [found] = at < 0 ? [] : existing.splice(at, 1)
  if (!found) return { kind: 'create-account', input: { type, status, name }, targetId: null } as const
  if (found.status === status) return null
  return { kind: 'account-status', input: { status }, targetId: found.id, before: found.status } as const
}

const statusKept = (what: string, status: string) =>
  fail('CONFLICT', { message: `The status of ${what} is ${status}, and only staff changes it: send it as it is` })

/**
 * Fails (400) when the customers have too many accounts in all, two of them have one externalId, or an externalId
 * cannot be part of a URL: the customer service could not be asked for it, and the saga would never end.
 */
export function refuseCustomers(customers: readonly NestedCustomer[]): void {
  const accounts = customers.reduce((sum, customer) => sum + (customer.accounts?.length ?? 0), 0)
  if (accounts > mostNestedAccounts) {
    throw fail('INVALID_REQUEST', { message: `customers must have at most ${mostNestedAccounts} accounts in all` })
  }
  const seen = new Set<string>()
  const problems: { field: string; message: string }[] = []
  for (const [i, { externalId }] of customers.entries()) {
    const field = `customers.${i}.externalId`
    if (seen.has(externalId)) problems.push({ field, message: `${field} is given twice` })
    if (/^\.\.?$/.test(externalId)) problems.push({ field, message: `${field} must be neither . nor ..` })
    seen.add(externalId)
  }
  if (problems.length === 0) return
  const message = problems.map((problem) => problem.message).join('; ')
  throw fail('INVALID_REQUEST', { message, details: problems })
}
