// Instances of a service that share its database. Each publishes the events that it has emitted itself, so that none goes out
// twice. Of one that has ended without publishing them another one takes them over.
import { and, asc, eq, inArray, ne, not, notInArray, type SQL } from 'drizzle-orm'
import { dialect } from '../config'
import type { OpenStore } from '../engine/open-store'
import { instances, outbox } from '../schema/shared.table'
import { type Db, param, prepared } from '../statements/statements'
import { beatMs, isAlive, sayAlive } from '../work/alive'
import { every, type Worker } from '../work/every'

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

/** Says that this instance is alive, and finds events that nobody else publishes. */
export async function beat({ store, isEmpty, found, now }: InstanceOptions): Promise<void> {
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

  /** The connection was lost while a commit was under way, and it was made all the same. */
  async function isLeftBehind(db: Db): Promise<boolean> {
    if (!isEmpty() || (await ofInstance(db).execute(at)).length === 0) return false
    // What was seen may be of a commit that is on its way here: it is known when one after it is answered.
    await store.commit(async () => {})
    return isEmpty()
  }
}

/** Does so until it is stopped. Others take over at once what this instance leaves in the outbox, when its store is closed. */
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
    .limit(1),
)
const isOver = and(not(isAlive), ne(instances.id, param('instance')))
const ended = prepared((db) => db.select({ id: instances.id }).from(instances).where(isOver).limit(1))
const forgetEnded = prepared((db) => db.delete(instances).where(isOver))
