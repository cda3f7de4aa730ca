import type { TransactionStatus, TransactionType } from '@bursar/contracts/core-ledger'
import type { Persons } from '../src/approvals/four-eyes'

/** What a test asks of the ledger. Assets, accounts and transactions by their place in the model. */
export type Order =
  | { order: 'deposit'; asset: number; account: number; amount: bigint; copyOf: number | null }
  | { order: 'withdrawal'; asset: number; account: number; amount: bigint }
  | { order: 'transfer'; asset: number; account: number; to: number; amount: bigint }
  | { order: 'screening'; transaction: number; isApproved: boolean }
  | { order: 'approval'; transaction: number; kind: 'deposit' | 'withdrawal'; person: Person; persons: Persons }
  | { order: 'rejection'; transaction: number; kind: 'deposit' | 'withdrawal' }
  | { order: 'completion'; transaction: number }
  | { order: 'failure'; transaction: number }

/** Who approves: a caller that proves nothing, or one of two people. */
export type Person = 'nobody' | 'anna' | 'boris'

interface Transaction {
  type: TransactionType
  status: TransactionStatus
  amount: bigint
  asset: number
  account: number
  to: number
  verdict: boolean | null
  /** Who has approved it as the first of two. */
  proposer: Person | null
}

/** One asset as a test understands it: just sums. */
export interface Book {
  accounts: { available: bigint; frozen: bigint }[]
  /** Deposits that are nobody's yet. */
  suspense: bigint
  /** Everything outside: negative by as much as came in. */
  world: bigint
}

/** The ledger as a test understands it: no journal, no queue. What is of one asset is never of another. */
export interface Model {
  books: Book[]
  transactions: Transaction[]
}

export const newModel = (assets: number, accounts: number): Model => ({
  books: Array.from({ length: assets }, () => ({
    accounts: Array.from({ length: accounts }, () => ({ available: 0n, frozen: 0n })),
    suspense: 0n,
    world: 0n,
  })),
  transactions: [],
})

/** Carries an order out on the model and says how it ends: `made`, `done`, `repeated`, or the code of the error. */
export function apply(model: Model, order: Order): string {
  switch (order.order) {
    case 'deposit':
      if (order.copyOf !== null) return 'known'
      book(model, order.asset).suspense += order.amount
      book(model, order.asset).world -= order.amount
      return add(model, { ...order, type: 'DEPOSIT', to: order.account })
    case 'withdrawal':
    case 'transfer':
      return pay(model, order)
    case 'screening':
      return screen(at(model, order.transaction), order.isApproved)
    case 'approval':
      return approve(at(model, order.transaction), order)
    case 'rejection':
      return reject(model, at(model, order.transaction), order.kind)
    case 'completion':
      return finish(model, at(model, order.transaction), 'COMPLETED')
    case 'failure':
      return finish(model, at(model, order.transaction), 'FAILED')
  }
}

/** How many entries the model's transactions have in a journal. */
export const entriesOf = (model: Model): number =>
  model.transactions.reduce((sum, transaction) => sum + (hasMovedTwice(transaction) ? 2 : 1), 0)

/** Its money has gone on from where its first entry put it. */
const hasMovedTwice = ({ type, status }: Transaction): boolean =>
  status === 'COMPLETED' || (type !== 'DEPOSIT' && (status === 'REJECTED' || status === 'FAILED'))

function pay(model: Model, order: Extract<Order, { order: 'withdrawal' | 'transfer' }>): string {
  const to = order.order === 'transfer' ? order.to : order.account
  if (order.order === 'transfer' && to === order.account) return 'SAME_ACCOUNT'
  const account = of(model, order, order.account)
  if (order.amount > account.available) return 'INSUFFICIENT_BALANCE'
  account.available -= order.amount
  account.frozen += order.amount
  const type = order.order === 'transfer' ? 'TRANSFER' : 'WITHDRAWAL'
  return add(model, { ...order, type, to })
}

function screen(transaction: Transaction, isApproved: boolean): string {
  if (transaction.verdict === isApproved) return 'done'
  if (transaction.verdict !== null) return 'ILLEGAL_MOVE'
  transaction.verdict = isApproved
  transaction.status = isApproved ? 'APPROVED' : 'FROZEN'
  return 'done'
}

function approve(transaction: Transaction, { kind, person, persons }: Extract<Order, { order: 'approval' }>): string {
  const refusal = refusalOf(transaction, kind)
  if (refusal) return refusal
  const { proposer } = transaction
  const isAlone = persons === 'one' || (persons === 'two if proposed' && proposer === null)
  if (!isAlone && person === 'nobody') return 'PERSON_NEEDED'
  if (!isAlone && person === proposer) return 'SAME_PERSON'
  if (!isAlone && proposer === null) {
    transaction.proposer = person
    return 'proposed'
  }
  transaction.status = 'APPROVED'
  return 'done'
}

function reject(model: Model, transaction: Transaction, kind: string): string {
  const refusal = refusalOf(transaction, kind)
  if (refusal) return refusal
  transaction.status = 'REJECTED'
  release(model, transaction)
  return 'done'
}

function refusalOf({ type, status }: Transaction, kind: string): string | null {
  if ((type === 'DEPOSIT') !== (kind === 'deposit')) return 'WRONG_TYPE'
  return status === 'FROZEN' ? null : 'ILLEGAL_MOVE'
}

function finish(model: Model, transaction: Transaction, status: 'COMPLETED' | 'FAILED'): string {
  if (transaction.status === status) return 'repeated'
  if (transaction.status !== 'APPROVED') return 'ILLEGAL_MOVE'
  transaction.status = status
  const { type, amount } = transaction
  if (status === 'FAILED') release(model, transaction)
  else if (type === 'DEPOSIT') {
    book(model, transaction.asset).suspense -= amount
    of(model, transaction, transaction.account).available += amount
  } else {
    of(model, transaction, transaction.account).frozen -= amount
    if (type === 'TRANSFER') of(model, transaction, transaction.to).available += amount
    else book(model, transaction.asset).world += amount
  }
  return 'done'
}

function release(model: Model, transaction: Transaction): void {
  const { type, account, amount } = transaction
  if (type === 'DEPOSIT') return
  of(model, transaction, account).frozen -= amount
  of(model, transaction, account).available += amount
}

function add(model: Model, made: Pick<Transaction, 'type' | 'amount' | 'asset' | 'account' | 'to'>): string {
  const { type, amount, asset, account, to } = made
  model.transactions.push({ type, amount, asset, account, to, status: 'PENDING', verdict: null, proposer: null })
  return 'made'
}

function at(model: Model, index: number): Transaction {
  const transaction = model.transactions[index]
  if (!transaction) throw new Error(`The model has no transaction ${index}`)
  return transaction
}

function book(model: Model, asset: number): Book {
  const found = model.books[asset]
  if (!found) throw new Error(`The model has no asset ${asset}`)
  return found
}

function of(model: Model, { asset }: { asset: number }, index: number) {
  const account = book(model, asset).accounts[index]
  if (!account) throw new Error(`The model has no account ${index}`)
  return account
}
