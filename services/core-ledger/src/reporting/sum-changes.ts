import type { systemBalances } from '../ledger/balances.table'
import type { journal } from '../ledger/journal.table'
import type { EntryKind } from '../ledger/ledger-accounts'
import type { Posted } from '../movements/states'
import { dayOf } from './days'
import type { DailyTotal, Held, MovementKind } from './sums.table'

/** The change of an account type's holdings, per kind of movement. */
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

export const changeBy = (kind: MovementKind, amount: bigint): bigint => signs[kind] * amount

export type CountedEntry = Pick<typeof journal.$inferSelect, 'kind' | 'assetId' | 'amount' | 'createdAt'> & {
  debit: string
  credit: string
  transaction: (Posted & { network: string }) | null
  movement: { kind: 'in' | 'out' | 'fee'; network: string } | null
  /** The types of its accounts; null if unknown here. */
  movementType: string | null
  ownType: string | null
  receiverType: string | null
}

/** The change of a ledger account outside the books. */
export type Outside = typeof systemBalances.$inferSelect

export interface Changes {
  totals: DailyTotal[]
  holdings: Held[]
  outside: Outside[]
}

/** The ledger accounts whose balances are such sums: they may be negative, so posting does not check them. */
const outsideParts = ['world:', 'fees:'] as const

/** The kinds of entries that change a sum. */
export const countedKinds: readonly EntryKind[] = [
  'arrival',
  'credit',
  'settlement',
  'delivery',
  'return',
  'execution',
  'fee',
]

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

export const isOutside = (name: string): boolean => outsideParts.some((part) => name.startsWith(part))

interface Movement {
  accountType: string
  kind: MovementKind
}

/** For entries that complete a transaction, and entries of a portfolio's movements. */
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

/** The kinds under which a transaction between accounts of these types counts. */
function kindsOf({ type, returns }: Posted, own: string, receiver: string): Movement[] {
  if (returns !== null) return [{ accountType: own, kind: 'RETURN' }]
  if (type !== 'TRANSFER' || own === receiver) return [{ accountType: own, kind: type }]
  return [
    { accountType: own, kind: 'SENT' },
    { accountType: receiver, kind: 'RECEIVED' },
  ]
}

/** A transaction's account is always known here; if its replica row were lost, its money would still be counted. */
const unknownType = 'UNKNOWN'

/** Whether a total counts an account whose type is no longer known here. */
export const isOfUnknown = ({ accountType }: DailyTotal): boolean => accountType === unknownType

export interface Sums {
  totals: Map<string, DailyTotal>
  holdings: Map<string, Held>
  outside: Map<string, Outside>
}

export const noSums = (): Sums => ({ totals: new Map(), holdings: new Map(), outside: new Map() })

/** The key of a sum. The length before each part separates the parts, whatever they contain. */
export const placeOf = {
  totals: ({ day, accountType, assetId, network, kind }: Omit<DailyTotal, 'count' | 'amount'>): string =>
    `${part(day)}${part(kind)}${placeOf.holdings({ accountType, assetId, network })}`,
  holdings: ({ accountType, assetId, network }: Omit<Held, 'amount'>): string =>
    `${part(accountType)}${part(assetId)}${part(network)}`,
  outside: ({ name, assetId }: Omit<Outside, 'amount'>): string => `${part(name)}${part(assetId)}`,
}
const part = (text: string): string => `${text.length}:${text}`

export function addUp(sums: Sums, { totals, holdings, outside }: Changes): void {
  for (const total of totals) {
    const sum = sums.totals.getOrInsertComputed(placeOf.totals(total), () => ({ ...total, count: 0, amount: 0n }))
    sum.count += total.count
    sum.amount += total.amount
  }
  for (const held of holdings) addTo(sums.holdings, placeOf.holdings(held), held)
  for (const one of outside) addTo(sums.outside, placeOf.outside(one), one)
}

function addTo<S extends { amount: bigint }>(sums: Map<string, S>, place: string, change: S): void {
  sums.getOrInsertComputed(place, () => ({ ...change, amount: 0n })).amount += change.amount
}
