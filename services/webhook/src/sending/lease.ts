import { and, eq, param, prepared, type Tx } from '@bursar/store'
import { nextMoment } from '../deliveries/queue'
import type { WebhookDeps } from '../deps'
import { horizon, isFree, laterOf, type TargetRow } from './targets'
import { targets } from './targets.table'

/** A target that one worker has to itself. */
export interface Lease {
  readonly id: string
  readonly by: string
  /** When it must be extended, by `performance.now()`. */
  renewAtMs: number
}

/** The lease has gone to another worker: it sends what is left. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

const marginMs = 1000

/** Twice as long as an attempt may take; after a crash the target waits for so long. */
export const leaseMsOf = ({ config }: Pick<WebhookDeps, 'config'>): number => 2 * config.timeoutMs + marginMs

/** Takes a target; null when another worker has it. */
export async function takeLease(
  { store, now, schedule, config }: WebhookDeps,
  id: string,
  by: string,
): Promise<{ lease: Lease; target: TargetRow } | null> {
  const leaseMs = leaseMsOf({ config })
  const renewAtMs = performance.now() + config.timeoutMs
  const target = await store.commit(async (tx) => {
    const at = now()
    const leasedUntil = new Date(at.getTime() + leaseMs)
    const limits = horizon({ now: at, leaseMs, longestMs: schedule.longestMs })
    const [row] = await take(tx).execute({ id, by, leasedUntil, now: at, furthestLease: limits.furthestLease })
    return row
  })
  return target ? { lease: { id, by, renewAtMs }, target } : null
}

/** Makes sure that the lease outlasts another attempt. Throws LeaseLostError. */
export async function extendLease({ store, now, config }: WebhookDeps, lease: Lease): Promise<void> {
  if (performance.now() < lease.renewAtMs) return
  const renewAtMs = performance.now() + config.timeoutMs
  await store.commit(async (tx) => {
    await assertHeld(tx, lease)
    await extend(tx).execute({ id: lease.id, leasedUntil: new Date(now().getTime() + leaseMsOf({ config })) })
  })
  lease.renewAtMs = renewAtMs
}

/** Throws LeaseLostError when another worker has taken it: what was found under it is not to be written. */
export async function assertHeld(tx: Tx, { id, by }: Lease): Promise<void> {
  const [row] = await holder(tx).execute({ id })
  if (row?.leasedBy !== by) throw new LeaseLostError('Another worker has taken the target')
}

/** Gives the target back, with the moment when there is something to do next. */
export const giveBack = ({ store, now }: WebhookDeps, { id, by }: Lease): Promise<void> =>
  store.commit(async (tx) => {
    const [row] = await holder(tx).execute({ id })
    if (row?.leasedBy !== by) return
    const next = await nextMoment(tx, id, now())
    await free(tx).execute({ id, dueAt: next && laterOf(next, row.pausedUntil) })
  })

const byId = eq(targets.id, param('id'))
const take = prepared((db) =>
  db
    .update(targets)
    .set({ leasedBy: param('by'), leasedUntil: param('leasedUntil') })
    .where(and(byId, isFree))
    .returning(),
)
const extend = prepared((db) =>
  db
    .update(targets)
    .set({ leasedUntil: param('leasedUntil') })
    .where(byId),
)
const holder = prepared((db) =>
  db.select({ leasedBy: targets.leasedBy, pausedUntil: targets.pausedUntil }).from(targets).where(byId),
)
const free = prepared((db) =>
  db
    .update(targets)
    .set({ leasedBy: null, leasedUntil: null, dueAt: param('dueAt') })
    .where(byId),
)
