import type { systemBalances } from '../ledger/balances.table'
import type { journal } from '../ledger/journal.table'
import type { EntryKind } from '../ledger/ledger-accounts'
import type { Posted } from '../movements/states'
import type { DailyTotal, MovementKind } from './daily-totals.table'
import { dayOf } from './days'
import type { Held } from './holdings.table'

/** By how much each kind of movement changes what the accounts of a type hold. */
const signs: Record<MovementKind, bigint> = {
  DEPOSIT: 1n,
  WITHDRAWAL: -1n,
  TRANSFER: 0n,
  SENT: -1n,
  RECEIVED: 1n,
  IN: 1n,
  OUT: -1n,
  RETURN: 0n,
}

/** How far a day's movements of one kind have changed what is held. */
export const changeBy = (kind: MovementKind, amount: bigint): bigint => signs[kind] * amount

/** An entry with what the sums are made from. */
export type CountedEntry = Pick<typeof journal.$inferSelect, 'kind' | 'assetId' | 'amount' | 'createdAt'> & {
  debit: string
  credit: string
  transaction: (Posted & { network: string }) | null
  movement: { kind: 'in' | 'out' | 'fee'; network: string } | null
  /** The types of its accounts; null where they are not known here. */
  movementType: string | null
  ownType: string | null
  receiverType: string | null
}

/** A ledger account outside the books, by how much it changed. */
export type Outside = typeof systemBalances.$inferSelect

/** What entries add to the sums that are kept of the journal. */
export interface Changes {
  totals: DailyTotal[]
  holdings: Held[]
  outside: Outside[]
}

/** The ledger accounts whose balances are such sums: they may be negative, so no entry has to look at them. */
const outsideParts = ['world', 'fees'] as const

/** The kinds of entries that add anything. */
export const countedKinds: readonly EntryKind[] = [
  'arrival',
  'credit',
  'settlement',
  'delivery',
  'return',
  'execution',
  'fee',
]

/** What entries add, entry by entry. */
export function changesOf(entries: readonly CountedEntry[]): Changes {
  const changes: Changes = { totals: [], holdings: [], outside: [] }
  for (const entry of entries) {
    const { debit, credit, assetId, amount, createdAt } = entry
    if (isOutside(debit)) changes.outside.push({ name: debit, assetId, amount: -amount })
    if (isOutside(credit)) changes.outside.push({ name: credit, assetId, amount })
    for (const { accountType, kind, network } of movedBy(entry)) {
      const place = { accountType, assetId, network }
      changes.totals.push({ ...place, day: dayOf(createdAt), kind, count: 1, amount })
      if (signs[kind] !== 0n) changes.holdings.push({ ...place, amount: changeBy(kind, amount) })
    }
  }
  return changes
}

export const isOutside = (name: string): boolean => outsideParts.some((part) => name.startsWith(`${part}:`))

interface Movement {
  accountType: string
  kind: MovementKind
}

/** Of the entries with which a transaction is completed, and of those that a portfolio's movements are booked with. */
function movedBy(entry: CountedEntry): (Movement & { network: string })[] {
  const { kind, transaction, movement, movementType, ownType, receiverType } = entry
  if (kind === 'execution' && movement) {
    const direction = movement.kind === 'in' ? 'IN' : 'OUT'
    return [{ accountType: movementType ?? unknownType, kind: direction, network: movement.network }]
  }
  if (!transaction || !completing.includes(kind)) return []
  const { network } = transaction
  return kindsOf(transaction, ownType ?? unknownType, receiverType ?? unknownType).map((of) => ({ ...of, network }))
}

const completing: readonly EntryKind[] = ['credit', 'settlement', 'delivery', 'return']

/** How a transaction counts between accounts of these types. */
function kindsOf({ type, returns }: Posted, own: string, receiver: string): Movement[] {
  if (returns !== null) return [{ accountType: own, kind: 'RETURN' }]
  if (type !== 'TRANSFER' || own === receiver) return [{ accountType: own, kind: type }]
  return [
    { accountType: own, kind: 'SENT' },
    { accountType: receiver, kind: 'RECEIVED' },
  ]
}

/** A transaction's account is always known here; should its copy be gone, its money is still counted. */
const unknownType = 'UNKNOWN'

/** Whether an entry counts an account whose type is not known here any more. */
export const isOfUnknown = (entry: CountedEntry): boolean =>
  movedBy(entry).some(({ accountType }) => accountType === unknownType)

/** Sums by place, of any of the three. */
export interface Sums {
  totals: Map<string, DailyTotal>
  holdings: Map<string, Held>
  outside: Map<string, Outside>
}

export const noSums = (): Sums => ({ totals: new Map(), holdings: new Map(), outside: new Map() })

/** Where a sum stands. JSON keeps the words apart, whatever is in them. */
export const placeOf = {
  totals: ({ day, accountType, assetId, network, kind }: Omit<DailyTotal, 'count' | 'amount'>): string =>
    JSON.stringify([day, accountType, assetId, network, kind]),
  holdings: ({ accountType, assetId, network }: Omit<Held, 'amount'>): string =>
    JSON.stringify([accountType, assetId, network]),
  outside: ({ name, assetId }: Omit<Outside, 'amount'>): string => JSON.stringify([name, assetId]),
}

/** Adds changes up by their places. */
export function addUp(sums: Sums, { totals, holdings, outside }: Changes): void {
  for (const total of totals) {
    const known = sums.totals.get(placeOf.totals(total))
    const [count, amount] = [total.count + (known?.count ?? 0), total.amount + (known?.amount ?? 0n)]
    sums.totals.set(placeOf.totals(total), { ...total, count, amount })
  }
  for (const held of holdings) {
    const known = sums.holdings.get(placeOf.holdings(held))
    sums.holdings.set(placeOf.holdings(held), { ...held, amount: held.amount + (known?.amount ?? 0n) })
  }
  for (const one of outside) {
    const known = sums.outside.get(placeOf.outside(one))
    sums.outside.set(placeOf.outside(one), { ...one, amount: one.amount + (known?.amount ?? 0n) })
  }
}
