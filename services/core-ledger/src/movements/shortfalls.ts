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

/** Whose withdrawals wait: those of an account's asset, or with null all of the asset. */
type Whose = Pick<Shortfall, 'accountId' | 'assetId'>

export function causeOf({ key }: Pick<Shortfall, 'key'>): Cause {
  const cause = causes.find((each) => key.endsWith(` ${each}`))
  if (cause === undefined) throw new Error(`The shortfall ${key} has no cause that is known`)
  return cause
}

/**
 * Opens a shortfall, for which withdrawals wait, or closes it: `reason` is null while nothing is missing. A known one keeps
 * its time.
 */
export async function setShortfall(
  tx: Tx,
  { accountId, assetId }: Whose,
  cause: Cause,
  reason: string | null,
  now: Date,
): Promise<void> {
  const key = `${accountId ?? 'all'} ${assetId} ${cause}`
  if (reason === null) await remove(tx).execute({ key })
  else await upsert(tx).execute({ key, accountId, assetId, reason, since: now })
}

export const listShortfalls = (db: Db): Promise<Shortfall[]> => all(db).execute()

/** A sentence without details, because health is public. Null while no shortfall is open. */
export const shortfallSentence = (open: readonly Shortfall[]): string | null =>
  open.length === 0
    ? null
    : `Withdrawals wait for ${open.length} ${open.length === 1 ? 'shortfall' : 'shortfalls'}: bun run reconcile`

const upsert = upsertInto(shortfalls, ['key'], ['reason'])
const remove = deleteBy(shortfalls, 'key')
const all = prepared((db) => db.select().from(shortfalls))
