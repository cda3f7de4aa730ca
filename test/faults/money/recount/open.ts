// Promised records exist, and open ones say why and what to do.
import type { Finding } from './finding'
import type { Knowledge, LedgerTransaction, State } from './state'

export function checkPromises({ transactions }: State, { promised, excused }: Knowledge): Finding[] {
  const byId = new Map(transactions.map((each) => [each.id, each]))
  return [...promised].flatMap(([id, wanted]): Finding[] => {
    const found = byId.get(id)
    if (!found)
      return excused.has(id) ? [] : [{ kind: 'lost', id, what: `the ${wanted.type} was answered and is not there` }]
    const { type, accountId, toAccountId, assetId, amount, destinationAddress: destination } = found
    const is = { type, accountId, toAccountId, assetId, amount }
    const isSame =
      Bun.deepEquals(is, { ...wanted, destination: undefined }) &&
      (wanted.destination === null || wanted.destination.toLowerCase() === destination?.toLowerCase())
    return isSame
      ? []
      : [{ kind: 'wrong', id, what: `asked for as ${shown(wanted)}, kept as ${shown({ ...is, destination })}` }]
  })
}

const shown = (record: object) => Object.values(record).map(String).join(' ')

/** FROZEN waits for its review, which is a queue that people see. PENDING and APPROVED must be named: see isNamed. */
export function checkOpen(state: State, { named }: Knowledge): Finding[] {
  const waiting = state.transactions.filter(({ status }) => status === 'PENDING' || status === 'APPROVED')
  const unnamed = waiting.filter((each) => !isNamed(state, named, each))
  return [
    ...unnamed.map((each): Finding => ({ kind: 'stuck', id: each.id, what: wordsOf(state, named, each) })),
    ...state.contradictions.map((id): Finding => ({ kind: 'wrong', id, what: 'it failed, and was paid' })),
    ...openOrders(state, named),
    ...openSends(state, named),
  ]
}

/** Words that say what a person can do. */
const wayOut = /^held: |top up|bun run |reconcile|fail it|release it|decide/i

/** In a list, with words that say what to do; or with words, while what it waits for can be seen. */
function isNamed(state: State, named: Knowledge['named'], transaction: LedgerTransaction): boolean {
  const words = named.get(transaction.id)
  return words !== undefined && (wayOut.test(words) || waitsVisibly(state, transaction))
}

/** For an account that is not active, or for a shortfall that is open. */
function waitsVisibly(
  { inactive, shortfalls }: State,
  { accountId, toAccountId, assetId }: LedgerTransaction,
): boolean {
  const parties = [accountId, ...(toAccountId === null ? [] : [toAccountId])]
  const isShort = (each: State['shortfalls'][number]) =>
    each.assetId === assetId && (each.accountId === null || each.accountId === accountId)
  return parties.some((id) => inactive.has(id)) || shortfalls.some(isShort)
}

function wordsOf({ work }: State, named: Knowledge['named'], { id, type, status }: LedgerTransaction): string {
  const words = named.get(id)
  if (words !== undefined) return `a ${type} is ${status}, and its list does not say what to do: ${words}`
  const lastError = work.find((each) => each.id === id)?.lastError
  return `a ${type} is ${status}, and in no list; last error: ${lastError ?? 'none'}`
}

/** FROZEN: listed after its approval, before it was signed; it waits for its review again. */
const isUnderWay = ({ status }: LedgerTransaction): boolean => status === 'APPROVED' || status === 'FROZEN'

/** An order that waits, and no transaction of the ledger says so. */
function openOrders({ orders, transactions }: State, named: Knowledge['named']): Finding[] {
  const open = new Set(transactions.filter(isUnderWay).map(({ id }) => id))
  return orders
    .filter(({ id, dueAt }) => dueAt !== null && !open.has(id) && !named.has(id))
    .map(({ id, kind, status, reason }) => ({
      kind: 'stuck',
      id,
      what: `the wallet’s ${kind} is ${status}: ${reason}`,
    }))
}

/** What the blockchain service tries to send, and nobody has ordered any more. */
function openSends({ sends, orders, transactions }: State, named: Knowledge['named']): Finding[] {
  const open = new Set([
    ...orders.filter(({ dueAt }) => dueAt !== null).map(({ id }) => id),
    ...transactions.filter(isUnderWay).map(({ id }) => id),
  ])
  return sends
    .filter(({ id, isOpen }) => isOpen && !open.has(id) && !named.has(id))
    .map(({ id, status, lastError }) => ({
      kind: 'stuck',
      id,
      what: `a send without an order is ${status}: ${lastError}`,
    }))
}
