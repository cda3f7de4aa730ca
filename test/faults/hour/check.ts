import type { TransactionStatus } from '@bursar/contracts/core-ledger'
import type { Client } from './client'
import { amountText, type Holder, type Journal, type Kept } from './journal'
import { rows } from './settle'
import type { Stack } from './stack'
import { type LyingWallet, paidBy } from './wallet'

export interface Found {
  broken: string[]
  counts: Record<string, unknown>
}

interface Shown {
  id: string
  status: TransactionStatus
  amount: string
  type: string
  accountId: string
  toAccountId?: string
}

const isActive = ({ customerStatus, accountStatus }: Holder) =>
  customerStatus === 'active' && accountStatus === 'active'

const partiesOf = ({ account, to }: Kept) => (to ? [account, to] : [account])

/** The statuses that a transaction may have at the end, by what its client and the wallet know of it. */
export function statusesOf(kept: Kept, paid: boolean, refused: boolean): TransactionStatus[] {
  if (kept.verdict === null) return ['PENDING']
  if (kept.verdict === false && kept.review === null) return ['FROZEN']
  if (kept.review === 'reject') return ['REJECTED']
  if (kept.type === 'WITHDRAWAL') {
    if (paid) return ['COMPLETED']
    if (refused || kept.isFailed) return ['FAILED']
    return isActive(kept.account) ? [] : ['APPROVED']
  }
  if (kept.isFailed) return ['FAILED']
  const parties = partiesOf(kept)
  if (!parties.some(({ isUnsteady }) => isUnsteady)) return ['COMPLETED']
  const mayWait: TransactionStatus[] = parties.every(isActive) ? [] : ['APPROVED']
  // An account that was deleted, and made active again, has had its transfers failed.
  return kept.type === 'TRANSFER' ? ['COMPLETED', 'FAILED', ...mayWait] : ['COMPLETED', ...mayWait]
}

/** Every answered creation exists once, in a status that it may have; nothing else exists. */
export async function checkTransactions(stack: Stack, client: Client, journal: Journal, wallet: LyingWallet) {
  const broken: string[] = []
  const shown = await client.get<Shown[]>(stack.url('core-ledger'), '/transactions')
  const status = new Map(shown.map((one) => [one.id, one.status]))
  if (status.size !== shown.length) broken.push(`${shown.length - status.size} transactions are listed twice`)
  const paid = paidBy(wallet.fake)
  for (const one of shown) {
    const kept = journal.transactions.get(one.id)
    if (!kept) broken.push(`Made: nobody asked for ${JSON.stringify(one)}`)
    else if (one.amount !== amountText(kept.amount) || one.type !== kept.type)
      broken.push(`Changed: ${JSON.stringify(one)}`)
    else if (one.accountId !== kept.account.accountId || one.toAccountId !== kept.to?.accountId)
      broken.push(`Of another account: ${JSON.stringify(one)}`)
  }
  const byStatus: Record<string, number> = {}
  for (const kept of journal.transactions.values()) {
    const is = status.get(kept.id)
    if (!is) {
      broken.push(`Lost: ${kept.type} ${kept.id} was answered and does not exist`)
      continue
    }
    byStatus[`${kept.type} ${is}`] = (byStatus[`${kept.type} ${is}`] ?? 0) + 1
    const isRefused = wallet.fake.records.get(kept.id)?.status === 'failed'
    const expected = statusesOf(kept, paid.has(kept.id), isRefused)
    if (!expected.includes(is)) {
      const record = JSON.stringify(wallet.fake.records.get(kept.id) ?? null)
      broken.push(`${kept.type} ${kept.id} is ${is}, not ${expected}; the wallet has ${record}; ${describe(kept)}`)
    }
  }
  return { broken, status, counts: { transactions: shown.length, byStatus } }
}

const describe = ({ account, to, ...rest }: Kept) =>
  JSON.stringify({ ...rest, amount: String(rest.amount), account, to })

/** Compares GET balances with sums over the answers. */
export async function checkBalances(
  stack: Stack,
  client: Client,
  journal: Journal,
  status: Map<string, TransactionStatus>,
): Promise<Found> {
  const model = new Map(journal.holders.map(({ accountId }) => [accountId, { available: 0n, frozen: 0n }]))
  for (const kept of journal.transactions.values()) {
    const is = status.get(kept.id)
    const own = model.get(kept.account.accountId)
    const other = kept.to && model.get(kept.to.accountId)
    if (!is || !own) continue
    if (kept.type === 'DEPOSIT') {
      if (is === 'COMPLETED') own.available += kept.amount
    } else if (is !== 'REJECTED' && is !== 'FAILED') {
      own.available -= kept.amount
      if (is !== 'COMPLETED') own.frozen += kept.amount
      else if (other) other.available += kept.amount
    }
  }
  const broken: string[] = []
  let available = 0n
  let frozen = 0n
  for (const [accountId, expected] of model) {
    const [row] = await client.get<Record<string, string>[]>(stack.url('core-ledger'), `/balances/account/${accountId}`)
    const is = [row?.availableBalance ?? '0', row?.frozenBalance ?? '0']
    const should = [amountText(expected.available), amountText(expected.frozen)]
    if (String(is) !== String(should)) broken.push(`Account ${accountId} has ${is} (available, frozen), not ${should}`)
    available += expected.available
    frozen += expected.frozen
  }
  return {
    broken,
    counts: {
      accounts: model.size,
      available: amountText(available),
      frozen: amountText(frozen),
    },
  }
}

/** What the wallet has paid is what the ledger has completed, each id once and with its own amount. */
export function checkPayments(journal: Journal, status: Map<string, TransactionStatus>, wallet: LyingWallet): Found {
  const broken: string[] = []
  const paid = paidBy(wallet.fake)
  let sumPaid = 0n
  let completed = 0
  let sumCompleted = 0n
  for (const kept of journal.transactions.values()) {
    if (kept.type !== 'WITHDRAWAL') continue
    const isCompleted = status.get(kept.id) === 'COMPLETED'
    if (isCompleted) {
      completed += 1
      sumCompleted += kept.amount
    }
    const order = paid.get(kept.id)
    if (Boolean(order) !== isCompleted) broken.push(`${kept.id} is ${status.get(kept.id)}, paid: ${Boolean(order)}`)
    if (!order) continue
    sumPaid += kept.amount
    if (order.amount !== amountText(kept.amount) || order.accountId !== kept.account.accountId)
      broken.push(`${kept.id} was paid by ${JSON.stringify(order)}`)
  }
  for (const id of paid.keys()) if (!journal.transactions.has(id)) broken.push(`Paid, and nobody asked for it: ${id}`)
  const twice = wallet.fake.broadcasts.length - new Set(wallet.fake.broadcasts).size
  if (twice > 0) broken.push(`${twice} withdrawals were broadcast twice`)
  return {
    broken,
    counts: {
      paid: paid.size,
      sumPaid: amountText(sumPaid),
      completed,
      sumCompleted: amountText(sumCompleted),
      paidTwice: twice,
    },
  }
}

/** Compares replicas with their owners' tables and the last answers; the services are stopped. */
export function checkReplicas(stack: Stack, journal: Journal): Found {
  const broken: string[] = []
  const compare = (what: string, owner: string[], replica: string[]) => {
    const known = new Set(replica)
    const owned = new Set(owner)
    for (const one of owner) if (!known.has(one)) broken.push(`${what}: ${one} is missing`)
    for (const one of replica) if (!owned.has(one)) broken.push(`${what}: ${one} is not so at its owner`)
    if (owner.length !== replica.length) broken.push(`${what}: ${replica.length} of ${owner.length}`)
  }
  const list = (name: 'customer' | 'account' | 'core-ledger', sql: string) =>
    rows<Record<string, unknown>>(stack, name, sql).map((row) => JSON.stringify(Object.values(row)))
  const { holders } = journal
  compare(
    'customers as answered',
    holders.map((one) => JSON.stringify([one.customerId, one.customerStatus])),
    list('customer', 'SELECT id, status FROM customers'),
  )
  compare(
    'accounts as answered',
    holders.map((one) => JSON.stringify([one.accountId, one.customerId, one.accountStatus])),
    list('account', 'SELECT id, customer_id, status FROM accounts'),
  )
  const customers = 'SELECT id, status FROM customers'
  compare('customers in the ledger', list('customer', customers), list('core-ledger', customers))
  const accounts = 'SELECT id, customer_id, type, status, participant_id FROM accounts'
  compare('accounts in the ledger', list('account', accounts), list('core-ledger', accounts))
  const names = 'SELECT id, external_id FROM customers'
  compare('customers in the account service', list('customer', names), list('account', names))
  const owned = 'SELECT id, customer_id FROM accounts'
  compare('accounts in the customer service', list('account', owned), list('customer', owned))
  return { broken, counts: { customers: holders.length, accounts: holders.length } }
}

/** Every status that a transaction went through stands in the tracker, once; the services are stopped. */
export function checkTracker(stack: Stack, journal: Journal, status: Map<string, TransactionStatus>): Found {
  const lines = rows<{ id: string; status: string; n: number }>(
    stack,
    'log-tracker',
    `SELECT json_extract(metadata, '$.transaction_id') id, json_extract(metadata, '$.transaction_status') status,
       count(*) n FROM log_messages WHERE json_extract(metadata, '$.transaction_status') IS NOT NULL GROUP BY 1, 2`,
  )
  const broken: string[] = []
  const byStatus: Record<string, number> = {}
  const seen = new Set<string>()
  for (const { id, status: reached, n } of lines) {
    seen.add(`${id} ${reached}`)
    byStatus[reached] = (byStatus[reached] ?? 0) + n
    if (n !== 1) broken.push(`The tracker has ${reached} of ${id} ${n} times`)
  }
  let expected = 0
  for (const kept of journal.transactions.values()) {
    const path: string[] = ['PENDING']
    if (kept.verdict !== null) path.push(kept.verdict ? 'APPROVED' : 'FROZEN')
    if (kept.review !== null) path.push(kept.review === 'approve' ? 'APPROVED' : 'REJECTED')
    const last = status.get(kept.id)
    if (last === 'COMPLETED' || last === 'FAILED') path.push(last)
    for (const one of path) {
      expected += 1
      if (!seen.delete(`${kept.id} ${one}`)) broken.push(`The tracker lacks ${one} of ${kept.id}`)
    }
  }
  for (const one of seen) broken.push(`The tracker has ${one}, which nobody expects`)
  return { broken, counts: { expected, lines: lines.length, byStatus } }
}

/** Failed withdrawals that the ledger itself knows to be paid. */
export const contradictions = (stack: Stack): string[] =>
  rows<{ transaction_id: string }>(
    stack,
    'core-ledger',
    'SELECT transaction_id FROM failed_withdrawals WHERE contradiction IS NOT NULL',
  ).map((row) => `Failed and paid: ${row.transaction_id}`)
