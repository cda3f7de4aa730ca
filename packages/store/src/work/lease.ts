// Work that one instance of a service does at a time, such as a chain of seals. A row names who has it, and a number (fence) that
// grows whenever another one takes it. Each commit of the work reads that row: an instance that was held up, and has lost the
// work meanwhile, writes nothing.
import { and, eq, sql } from 'drizzle-orm'
import type { OpenStore } from '../engine/open-store'
import { leases } from '../schema/shared.table'
import { databaseClock } from '../statements/clock'
import { param, prepared, type Tx } from '../statements/statements'
import { LeaseLostError } from './queue'

const leaseMs = 30_000

export interface LeaseTuning {
  /** The time; that of the database unless given. */
  now?: () => Date
  /** How long nobody asks the database who has the work, unless a commit does. */
  restMs?: number
}

export interface Lease {
  /** Whether this instance has the work; it takes what nobody has. */
  take(): Promise<boolean>
  /** Keeps what `take` has taken: for work that takes long. Never takes it anew, for what was read before may be old by then. */
  keep(): Promise<void>
  /** The store, with commits that reject with LeaseLostError once another instance has the work. */
  readonly store: OpenStore
  /** Another instance may take it at once. */
  release(): Promise<void>
}

/** The work of this name, for the instance that has opened the store. */
export function leaseOf(store: OpenStore, name: string, { now, restMs = leaseMs / 3 }: LeaseTuning = {}): Lease {
  const holder = store.instance
  let fence: number | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  const at = () => ({ name, now: now?.().getTime() ?? null })

  async function isOfOther(db: OpenStore['read']): Promise<boolean> {
    const [row] = await leaseBy(db).execute(at())
    // One that ends later than a lease lasts was taken while the clock was wrong.
    return row !== undefined && row.holder !== holder && row.leftMs > 0 && row.leftMs <= leaseMs
  }

  async function takeIn(tx: Tx, before: number | null): Promise<number | null> {
    if (await isOfOther(tx)) return null
    const [row] = await leaseBy(tx).execute(at())
    const isKept = row?.holder === holder && row.fence === before
    const next = isKept ? row.fence : (row?.fence ?? 0) + 1
    await putLease(tx).execute({ ...at(), holder, fence: next, leaseMs })
    return next
  }

  async function take(): Promise<boolean> {
    if (performance.now() - askedAt < restMs) return fence !== null
    const before = fence
    askedAt = performance.now()
    // Most looks of the others find that somebody has it: they do not need a commit.
    fence = (await isOfOther(store.read)) ? null : await store.commit((tx) => takeIn(tx, before))
    return fence !== null
  }

  const isHeld = () => ({ name, holder, fence: fence ?? 0 })
  const lost = () => {
    fence = null
    return new LeaseLostError('Another instance has the work, or may have it: what was found is not written')
  }

  return {
    take,
    async keep() {
      if (fence === null) return
      const kept = await store.commit((tx) => extend(tx).execute({ ...isHeld(), ...at(), leaseMs }))
      if (kept === 0) lost()
    },
    store: {
      ...store,
      commit: (body, key, options) =>
        store.commit(
          async (tx) => {
            const [row] = await heldBy(tx).execute(isHeld())
            if (!row) throw lost()
            return await body(tx)
          },
          key,
          options,
        ),
    },
    async release() {
      if (fence === null) return
      const held = isHeld()
      fence = null
      await store.commit((tx) => extend(tx).execute({ ...held, now: 0, leaseMs: 0 }))
    },
  }
}

const until = sql`${databaseClock} + cast(${param('leaseMs')} as bigint)`
const isOfHolder = and(
  eq(leases.name, param('name')),
  eq(leases.holder, param('holder')),
  eq(leases.fence, param('fence')),
)
const leaseBy = prepared((db) =>
  db
    .select({
      holder: leases.holder,
      fence: leases.fence,
      leftMs: sql<number>`${leases.until} - ${databaseClock}`.mapWith(Number),
    })
    .from(leases)
    .where(eq(leases.name, param('name'))),
)
const heldBy = prepared((db) => db.select({ fence: leases.fence }).from(leases).where(isOfHolder))
const putLease = prepared((db) =>
  db
    .insert(leases)
    .values({ name: param('name'), holder: param('holder'), fence: param('fence'), until })
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder: param('holder'), fence: param('fence'), until },
    }),
)
const extend = prepared((db) => db.update(leases).set({ until }).where(isOfHolder), 'rows')
