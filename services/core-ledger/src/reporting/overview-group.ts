import type { DayFigures, Figures } from './overview.model'
import { changeBy } from './sum-changes'
import type { MovementKind } from './sums.table'
import { add, addAll, movements, type PriceOf, subtractAll, type Tally, worthOf } from './tally'

interface Moved {
  deposits: Tally
  withdrawals: Tally
  transfers: Tally
}

/** The figures of one group: all assets, one asset, or one network. */
export interface Group {
  readonly moved: Moved
  readonly days: Map<string, Moved>
  /** The change of the holdings per day, including days after the range. */
  readonly changes: Map<string, Tally>
  /** The holdings now. */
  readonly held: Tally
}

/** The figure to which a kind of movement counts; null if it counts elsewhere. */
export type Counting = (kind: MovementKind) => keyof Moved | null

export interface DayTotal {
  day: string
  kind: MovementKind
  assetId: string
  count: number
  amount: bigint
}

const newMoved = (): Moved => ({ deposits: new Map(), withdrawals: new Map(), transfers: new Map() })

export const newGroup = (): Group => ({ moved: newMoved(), days: new Map(), changes: new Map(), held: new Map() })

/** Adds one day's total of one kind; a day after `to` is used only to compute earlier holdings. */
export function addTotal(group: Group, total: DayTotal, to: string, figureOf: Counting): void {
  const { day, kind, assetId, count, amount } = total
  add(group.changes.getOrInsertComputed(day, newTally), assetId, 0, changeBy(kind, amount))
  const figure = figureOf(kind)
  if (figure === null || day > to) return
  add(group.moved[figure], assetId, count, amount)
  add(group.days.getOrInsertComputed(day, newMoved)[figure], assetId, count, amount)
}

/** The movements of the whole range, and the holdings now. */
export const figuresOf = ({ moved, held }: Group, priceOf: PriceOf): Figures => ({
  ...movedFigures(moved, priceOf),
  balances: worthOf(held, priceOf),
})

/** One item per day, also for days without movements; the holdings at its end are computed back from now. */
export function seriesOf({ days, changes, held }: Group, range: readonly string[], priceOf: PriceOf): DayFigures[] {
  const last = range.at(-1) ?? ''
  const holding: Tally = new Map()
  addAll(holding, held)
  for (const [day, change] of changes) if (day > last) subtractAll(holding, change)
  let balances = worthOf(holding, priceOf)
  const series = [...range].reverse().map((date) => {
    const figures = { date, ...movedFigures(days.get(date) ?? nothing, priceOf), balances }
    const change = changes.get(date)
    if (change) {
      subtractAll(holding, change)
      balances = worthOf(holding, priceOf)
    }
    return figures
  })
  return series.reverse()
}

const nothing = newMoved()

const movedFigures = ({ deposits, withdrawals, transfers }: Moved, priceOf: PriceOf) => ({
  deposits: movements(deposits, priceOf),
  withdrawals: movements(withdrawals, priceOf),
  transfers: movements(transfers, priceOf),
})

const newTally = (): Tally => new Map()
