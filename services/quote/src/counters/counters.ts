import { counters as countersOf, type Db, type Tx } from '@bursar/store'
import { counterChanges, counters } from './counters.table'

/** The counters: the records of each unfiltered list, and the rates of one asset. */
export type Counted = 'assets' | 'categories' | 'providers' | 'rates' | ReturnType<typeof ratesOf>

/** The name of an asset's counter of rates. */
export const ratesOf = (assetId: string) => `rates:${assetId}` as const

const kept = countersOf({ totals: counters, changes: counterChanges })

/** Adds `by` (it may be negative) to a counter, in the commit that creates or deletes the records. */
export const bump = (tx: Tx, name: Counted, by: number): Promise<void> => kept.add(tx, name, by)

/** The value of a counter. */
export const total = (read: Db, name: Counted): Promise<number> => kept.total(read, name)

/** The sum of the counters whose names meet a condition, as a value in a statement. */
export const { sumOf: totalWhere, workers: countingWorkers } = kept
