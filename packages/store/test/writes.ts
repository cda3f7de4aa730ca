import { join } from 'node:path'
import { type Envelope, event } from '@bursar/contracts/event'
import { t } from '@bursar/contracts/schema'
import { eq } from 'drizzle-orm'
import { emit, emitAwaited, type OpenStore, type OutboxEvent, param, params, prepared, type Tx } from '../src/index'
import { parts, things } from './fixture/things.table'

export const migrations = join(import.meta.dir, 'migrations')

export const ThingMade = event('store-test.thing.made', t.Object({ thingId: t.String() }), {
  type: 'THING_MADE',
  consumers: [],
})

export const newThing = (id: string, change: Partial<typeof things.$inferInsert> = {}) => ({
  id,
  label: null,
  count: 0,
  ratio: null,
  isOpen: true,
  isKnown: null,
  data: {},
  extra: null,
  createdAt: new Date(0),
  endedAt: null,
  assetCode: null,
  amount: 0n,
  fee: null,
  ...change,
})

export const insertThing = prepared((db) => db.insert(things).values(params(things)))
export const insertPart = prepared((db) => db.insert(parts).values(params(parts)))
export const labelOf = prepared((db) =>
  db
    .select({ label: things.label })
    .from(things)
    .where(eq(things.id, param('id'))),
)
export const setLabel = prepared((db) =>
  db
    .update(things)
    .set({ label: param('label') })
    .where(eq(things.id, param('id'))),
)
const selectThings = prepared((db) =>
  db.select({ id: things.id }).from(things).orderBy(things.id).limit(param('limit')),
)

export const thingIds = async (store: OpenStore): Promise<string[]> =>
  (await selectThings(store.read).execute({ limit: 100_000 })).map(({ id }) => id)

/** A row and its event. */
export async function makeThing(tx: Tx, id: string): Promise<Envelope> {
  await insertThing(tx).execute(newThing(id))
  return emit(tx, ThingMade, { thingId: id })
}

/** The same with an event that is to be delivered. */
export async function makeAwaited(tx: Tx, id: string): Promise<OutboxEvent> {
  await insertThing(tx).execute(newThing(id))
  return emitAwaited(tx, ThingMade, { thingId: id }, new Date())
}

/** The things that these events are about. */
export const thingsOf = (events: readonly Envelope[]) => events.map(({ data }) => (data as { thingId: string }).thingId)

/** The id of the event that a test names so. */
export const eventIdOf = (name: string): string =>
  Buffer.from(name)
    .toString('hex')
    .padEnd(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** What a test calls this event. */
export const eventNameOf = ({ id }: Envelope): string =>
  Buffer.from(id.replaceAll('-', ''), 'hex').toString().replaceAll('\0', '')

/** An event that arrives, about this thing. */
export const envelope = (name: string, thingId = name): Envelope => ({
  id: eventIdOf(name),
  name: ThingMade.name,
  type: ThingMade.type,
  timestamp: new Date(0).toISOString(),
  requestId: null,
  service: 'store-test',
  data: { thingId },
})
