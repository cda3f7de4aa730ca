import { and, eq, isNull, lte, param, prepared, type Tx } from '@bursar/store'
import { authorisedExecutions, type Take } from './authorised-executions.table'

/** What it takes counts no more: it has failed, or all that it moved is booked. */
export const endExecution = (tx: Tx, id: string, now: Date): Promise<unknown> => end(tx).execute({ id, now })

/** It is final on its chain. What it takes counts until its movements are booked. */
export const noteConfirmed = (tx: Tx, id: string, now: Date): Promise<unknown> => confirm(tx).execute({ id, now })

/** What has left is booked: so much less is still to leave. */
export async function lessenTakes(tx: Tx, id: string, assetId: string, amount: bigint): Promise<void> {
  const [row] = await openById(tx).execute({ id })
  if (!row) return
  const takes: Take[] = row.takes
    .map((take) => (take.assetId === assetId ? { assetId, amount: `${BigInt(take.amount) - amount}` } : take))
    .filter((take) => BigInt(take.amount) > 0n)
  await setTakes(tx).execute({ id, takes })
}

/**
 * Ends what was confirmed before `until`, once its movements must be here: what it took less than it might have (of the
 * highest fee, mostly) is free again.
 */
export const endConfirmed = (tx: Tx, until: Date, now: Date): Promise<unknown> => endUntil(tx).execute({ until, now })

const isOpen = and(eq(authorisedExecutions.id, param('id')), isNull(authorisedExecutions.endedAt))
const end = prepared((db) =>
  db
    .update(authorisedExecutions)
    .set({ endedAt: param('now') })
    .where(isOpen),
)
const confirm = prepared((db) =>
  db
    .update(authorisedExecutions)
    .set({ confirmedAt: param('now') })
    .where(and(isOpen, isNull(authorisedExecutions.confirmedAt))),
)
const openById = prepared((db) => db.select().from(authorisedExecutions).where(isOpen))
const setTakes = prepared((db) =>
  db
    .update(authorisedExecutions)
    .set({ takes: param('takes') })
    .where(isOpen),
)
const endUntil = prepared((db) =>
  db
    .update(authorisedExecutions)
    .set({ endedAt: param('now') })
    .where(and(isNull(authorisedExecutions.endedAt), lte(authorisedExecutions.confirmedAt, param('until')))),
)
