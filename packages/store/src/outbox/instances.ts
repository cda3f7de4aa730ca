// Instances of a service that share its database. Each publishes the events that it has emitted itself, so that none goes out
// twice. Of one that has ended without publishing them another one takes them over.
import { and, asc, eq, gt, inArray, lte, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import { dialect } from '../config'
import type { OpenStore } from '../engine/open-store'
import { instances, outbox } from '../schema/shared.table'
import { databaseClock } from '../statements/clock'
import { type Db, param, prepared, type Tx } from '../statements/statements'
import { every, type Worker } from '../work/every'

/** An instance that has said nothing for so long has ended. */
const aliveMs = 30_000
const beatMs = 10_000
/** Events that one commit takes over. */
const chunk = 500

/** The events that this instance is to publish: where one process owns the database, all. `instance` is a value of the statement. */
export const isOwn: SQL | undefined = dialect === 'sqlite' ? undefined : eq(outbox.instance, param('instance'))

export interface InstanceOptions {
  store: OpenStore
  /** Whether, for all that the relay knows, the outbox has nothing of this instance. */
  isEmpty: () => boolean
  /** There is something to publish that nobody announces. */
  found: () => void
  /** For tests: the time; that of the database unless given. */
  now?: () => Date
}

/** Says that an instance is alive. To be done before it emits anything: others would publish that. */
export const register = (tx: Tx, at: { instance: string; now: number | null }): Promise<unknown> =>
  putInstance(tx).execute({ ...at, aliveMs })

/** Says that this instance is alive, and finds events that nobody else publishes. */
export async function beat({ store, isEmpty, found, now }: InstanceOptions): Promise<void> {
  const at = { instance: store.instance, now: now?.().getTime() ?? null }
  await store.commit((tx) => register(tx, at))
  let isTaken = false
  while ((await ofOthers(store.read).execute(at)).length > 0) {
    isTaken = (await store.commit((tx) => takeOver(tx).execute({ ...at, chunk }))) > 0 || isTaken
  }
  if ((await ended(store.read).execute(at)).length > 0) await store.commit((tx) => forgetEnded(tx).execute(at))
  if (isTaken || (await isLeftBehind(store.read))) found()

  /** The connection was lost while a commit was under way, and it was made all the same. */
  async function isLeftBehind(db: Db): Promise<boolean> {
    return isEmpty() && (await ofInstance(db).execute(at)).length > 0 && isEmpty()
  }
}

/** Says so until it is stopped; then others take over at once what this instance leaves in the outbox. */
export function startBeating(options: InstanceOptions): Pick<Worker, 'stop'> {
  if (dialect === 'sqlite') return { stop: async () => {} }
  const { store } = options
  const name = 'The sign of life of this instance'
  const loop = every(beatMs, () => beat(options), { log: store.log, name })
  return {
    async stop() {
      await loop.stop()
      await store.commit((tx) => forget(tx).execute({ instance: store.instance })).catch(() => {})
    },
  }
}

const aliveUntil = sql`${databaseClock} + cast(${param('aliveMs')} as bigint)`
const putInstance = prepared((db) =>
  db
    .insert(instances)
    .values({ id: param('instance'), aliveUntil })
    .onConflictDoUpdate({ target: instances.id, set: { aliveUntil } }),
)
const ofOther = (db: Db) =>
  db
    .select({ seq: outbox.seq })
    .from(outbox)
    .where(
      and(
        ne(outbox.instance, param('instance')),
        notInArray(
          outbox.instance,
          db.select({ id: instances.id }).from(instances).where(gt(instances.aliveUntil, databaseClock)),
        ),
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
    .limit(1),
)
const isOver = and(lte(instances.aliveUntil, databaseClock), ne(instances.id, param('instance')))
const ended = prepared((db) => db.select({ id: instances.id }).from(instances).where(isOver).limit(1))
const forgetEnded = prepared((db) => db.delete(instances).where(isOver))
const forget = prepared((db) => db.delete(instances).where(eq(instances.id, param('instance'))))
