// What was promised is there, and what is still open says why and what to do.
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

/** FROZEN waits for its review, which is a queue that people see. PENDING and APPROVED must be named with a reason. */
export function checkOpen(state: State, { named }: Knowledge): Finding[] {
  const waiting = state.transactions.filter(({ status }) => status === 'PENDING' || status === 'APPROVED')
  const unnamed = waiting.filter(({ id }) => !named.has(id))
  return [
    ...unnamed.map((each): Finding => ({ kind: 'stuck', id: each.id, what: wordsOf(state, each) })),
    ...state.contradictions.map((id): Finding => ({ kind: 'wrong', id, what: 'it failed, and was paid' })),
    ...openOrders(state, named),
    ...openSends(state, named),
  ]
}

const wordsOf = ({ work }: State, { id, type, status }: LedgerTransaction): string =>
  `a ${type} is ${status}, and in no list; last error: ${work.find((each) => each.id === id)?.lastError ?? 'none'}`

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
