import { type Db, deleteBy, prepared, type Tx, upsertInto } from '@bursar/store'
import { shortfalls } from './shortfalls.table'

export type Shortfall = typeof shortfalls.$inferSelect

/**
 * The cause: each cause closes only its own. `holdings`: a comparison with a chain. `reversal`: deposits that a chain
 * took back. `movements`: what left a portfolio's address and could not be booked. `reversed-movements`: what came to
 * one, was booked, and that a chain took back.
 */
const causes = ['holdings', 'reversal', 'movements', 'reversed-movements'] as const
export type Cause = (typeof causes)[number]

/** The key for an account's asset, or with null for everything owed of the asset. */
const shortfallKey = (accountId: string | null, assetId: string, cause: Cause = 'holdings'): string =>
  `${accountId ?? 'all'} ${assetId} ${cause}`

export function causeOf({ key }: Pick<Shortfall, 'key'>): Cause {
  const cause = causes.find((each) => key.endsWith(` ${each}`))
  if (cause === undefined) throw new Error(`The shortfall ${key} has no cause that is known`)
  return cause
}

/** Opens a shortfall, for which withdrawals wait; a known one keeps its time. */
export const openShortfall = (tx: Tx, found: Omit<Shortfall, 'key'>, cause?: Cause): Promise<unknown> =>
  upsert(tx).execute({ ...found, key: shortfallKey(found.accountId, found.assetId, cause) })

/** Closes a shortfall. */
export const closeShortfall = (tx: Tx, accountId: string | null, assetId: string, cause?: Cause): Promise<unknown> =>
  remove(tx).execute({ key: shortfallKey(accountId, assetId, cause) })

export const listShortfalls = (db: Db): Promise<Shortfall[]> => all(db).execute()

/** A sentence without details, because health is public. Null while no shortfall is open. */
export const shortfallSentence = (open: readonly Shortfall[]): string | null =>
  open.length === 0
    ? null
    : `Withdrawals wait for ${open.length} ${open.length === 1 ? 'shortfall' : 'shortfalls'}: bun run reconcile`

const upsert = upsertInto(shortfalls, ['key'], ['reason'])
const remove = deleteBy(shortfalls, 'key')
const all = prepared((db) => db.select().from(shortfalls))
