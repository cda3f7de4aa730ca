// Work that one instance of a service does at a time, such as a chain of seals. A row names who has it, and a number (fence) that
// grows whenever another one takes it. Whoever has it keeps it, resting or not, until it lets go of it or its instance is no longer
// alive (alive.ts): that costs nothing. Each commit of the work reads that row: an instance that was held up, and has lost the
// work meanwhile, writes nothing.
import { and, eq, sql } from 'drizzle-orm'
import type { OpenStore } from '../engine/open-store'
import { instances, leases } from '../schema/shared.table'
import { databaseClock } from '../statements/clock'
import { type Db, param, prepared, type Tx } from '../statements/statements'
import { together } from '../statements/together'
import { aliveMs, isAlive } from './alive'
import { LeaseLostError } from './queue'

/**
 * How often others check whether the work is free; with the time for which an instance counts as alive, a takeover
 * takes 13 s.
 */
const lookMs = 3000

interface LeaseTuning {
  /** The time; that of the database unless given. */
  now?: () => Date
  /** How long a known holder is not read again, except by commits. */
  restMs?: number
}

/** The lease of this name, for the instance that has opened the store. */
export function leaseOf(store: OpenStore, name: string, { now, restMs = lookMs }: LeaseTuning = {}) {
  const holder = store.instance
  let fence: number | null = null
  let askedAt = Number.NEGATIVE_INFINITY
  const at = () => ({ name, now: now?.().getTime() ?? null })

  async function find(db: Db) {
    const [row] = await leaseBy(db).execute(at())
    const isFree = !row || row.holder === holder || row.alive === null || row.until.getTime() === 0
    return { isFree, fence: row?.fence ?? 0, isOwn: row?.holder === holder && row.fence === fence }
  }

  async function takeIn(tx: Tx): Promise<number | null> {
    const found = await find(tx)
    if (!found.isFree) return null
    if (found.isOwn) return found.fence
    await putLease(tx).execute({ ...at(), holder, fence: found.fence + 1, aliveMs })
    return found.fence + 1
  }

  /** Whether this instance has the work; takes it if it is free. */
  async function take(): Promise<boolean> {
    if (performance.now() - askedAt < restMs) return fence !== null
    askedAt = performance.now()
    // Most checks find a holder, and need no commit.
    const found = await find(store.read)
    if (!found.isOwn) fence = found.isFree ? await store.commit(takeIn) : null
    return fence !== null
  }

  const isHeld = () => ({ name, holder, fence: fence ?? 0 })

  async function requireHeld(tx: Tx): Promise<void> {
    const [row] = await heldBy(tx).execute(isHeld())
    if (row) return
    // A run that has lost the lease never takes it again: its earlier reads may be outdated.
    fence = null
    throw new LeaseLostError('Another instance has the work, or may have it: what was found is not written')
  }

  return {
    take,
    /** The store, with commits that reject with LeaseLostError once another instance has the work. */
    store: {
      ...store,
      commit: (body, key, options) =>
        store.commit(async (tx) => (await together(requireHeld(tx), body(tx)))[1], key, options),
    } satisfies OpenStore,
    /** Another instance may take it at once. */
    async release() {
      if (fence === null) return
      const held = isHeld()
      fence = null
      await store.commit((tx) => letGo(tx).execute(held))
    },
  }
}

const isOfHolder = and(
  eq(leases.name, param('name')),
  eq(leases.holder, param('holder')),
  eq(leases.fence, param('fence')),
)
const leaseBy = prepared((db) =>
  db
    .select({ holder: leases.holder, fence: leases.fence, until: leases.until, alive: instances.id })
    .from(leases)
    .leftJoin(instances, and(eq(instances.id, leases.holder), isAlive))
    .where(eq(leases.name, param('name'))),
)
const heldBy = prepared((db) => db.select({ fence: leases.fence }).from(leases).where(isOfHolder))
const until = sql`${databaseClock} + cast(${param('aliveMs')} as bigint)`
const putLease = prepared((db) =>
  db
    .insert(leases)
    .values({ name: param('name'), holder: param('holder'), fence: param('fence'), until })
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder: param('holder'), fence: param('fence'), until },
    }),
)
const letGo = prepared((db) => db.update(leases).set({ until: sql`0` }).where(isOfHolder), 'rows')
