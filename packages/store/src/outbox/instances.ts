// Instances of a service that share its database. Each publishes its own events, so that none goes out twice. If one
// ends with unpublished events, another one takes them over.
import { and, asc, eq, inArray, ne, not, notInArray, type SQL } from 'drizzle-orm'
import { dialect } from '../config'
import type { OpenStore } from '../engine/open-store'
import { instances, outbox } from '../schema/shared.table'
import { type Db, param, prepared } from '../statements/statements'
import { beatMs, isAlive, sayAlive } from '../work/alive'
import { every, type Worker } from '../work/every'

/** Events taken over per commit. */
const chunk = 500

/**
 * SQL: the events that this instance publishes; all of them if one process owns the database. `instance` is a
 * placeholder.
 */
export const isOwn: SQL | undefined = dialect === 'sqlite' ? undefined : eq(outbox.instance, param('instance'))

interface InstanceOptions {
  store: OpenStore
  /** Whether the relay knows of no more events of this instance in the outbox, besides those it keeps. */
  isEmpty: () => boolean
  /** Events of this instance that the relay leaves in the outbox, for a newer release; none unless given. */
  kept?: () => number
  /** Called when unannounced events were found. */
  found: () => void
  /** For tests; the database's clock by default. */
  now?: () => Date
}

/** Marks this instance as alive, and finds events that nobody else publishes. */
export async function beat({ store, isEmpty, kept = () => 0, found, now }: InstanceOptions): Promise<void> {
  const at = { instance: store.instance, now: now?.().getTime() ?? null }
  await store.commit((tx) => sayAlive(tx, at), undefined, { isUrgent: true })
  let isTaken = false
  while ((await ofOthers(store.read).execute(at)).length > 0) {
    const taken = await store.commit(async (tx) => {
      await sayAlive(tx, at)
      return await takeOver(tx).execute({ ...at, chunk })
    })
    isTaken ||= taken > 0
  }
  if ((await ended(store.read).execute(at)).length > 0) await store.commit((tx) => forgetEnded(tx).execute(at))
  if (isTaken || (await isLeftBehind(store.read))) found()

  /** Whether a commit that lost its connection was made after all, and left events behind. */
  async function isLeftBehind(db: Db): Promise<boolean> {
    if (!isEmpty()) return false
    const most = kept()
    if ((await ofInstance(db).execute({ ...at, limit: most + 1 })).length <= most) return false
    // The events seen may be of a commit that is not answered here yet: after one more commit that is known.
    await store.commit(async () => {})
    return isEmpty()
  }
}

/**
 * Repeats this until it is stopped. When the store is closed, others take over at once what this instance leaves in the
 * outbox.
 */
export function startBeating(options: InstanceOptions): Pick<Worker, 'stop'> {
  if (dialect === 'sqlite') return { stop: async () => {} }
  const { store } = options
  const name = 'The sign of life of this instance'
  return every(beatMs, () => beat(options), { log: store.log, name })
}

const ofOther = (db: Db) =>
  db
    .select({ seq: outbox.seq })
    .from(outbox)
    .where(
      and(
        ne(outbox.instance, param('instance')),
        notInArray(outbox.instance, db.select({ id: instances.id }).from(instances).where(isAlive)),
      ),
    )
    .orderBy(asc(outbox.seq))
const ofOthers = prepared((db) => ofOther(db).limit(1))
const takeOver = prepared(
  (db) =>
    db
      .update(outbox)
      .set({ instance: param('instance') })
      .where(inArray(outbox.seq, ofOther(db).limit(param('chunk')))),
  'rows',
)
const ofInstance = prepared((db) =>
  db
    .select({ seq: outbox.seq })
    .from(outbox)
    .where(eq(outbox.instance, param('instance')))
    .limit(param('limit')),
)
const isOver = and(not(isAlive), ne(instances.id, param('instance')))
const ended = prepared((db) => db.select({ id: instances.id }).from(instances).where(isOver).limit(1))
const forgetEnded = prepared((db) => db.delete(instances).where(isOver))
