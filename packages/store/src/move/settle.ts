import type { Envelope } from '@bursar/contracts/event'
import { unfinished } from '../postgres/migrate'
import { openOnServer } from '../postgres/open'
import { instances, outbox } from '../schema/shared.table'
import { insertAll } from '../statements/row-batches'
import { prepared, type Tx } from '../statements/statements'
import { type FollowedRows, listWaiting, settleAll } from './followers'
import type { Source } from './source'

export interface Settling {
  url: string
  service: string
  schema: string
  migrations: string
  source: Source
  /** The followed rows of the service, besides the changes of its records. */
  followers: readonly FollowedRows[]
  /** Published events of the service that not all consumers have acted on. */
  events: readonly Envelope[]
}

/** Adds to a copied schema what only a server has, in one commit. */
export async function settle({ url, service, schema, migrations, source, followers, events }: Settling): Promise<void> {
  const store = await openOnServer({ url, service, schema: unfinished(schema), migrations })
  try {
    await store.commit(async (tx) => {
      for (const follower of followers) await listWaiting(tx, follower, source.given)
      await settleAll(tx, source.given)
      await addEvents(tx, events)
      // This process is not an instance of the service.
      await forgetInstances(tx).execute()
    })
  } finally {
    await store.close()
  }
}

/** Adds missing events only: consumers know an event by its id. */
async function addEvents(tx: Tx, events: readonly Envelope[]): Promise<void> {
  if (events.length === 0) return
  const there = new Set((await eventIds(tx).execute()).map(({ id }) => id))
  const missing = events.filter(({ id }) => !there.has(id))
  await insertEvents(
    tx,
    missing.map((event) => ({
      eventId: event.id,
      name: event.name,
      envelope: JSON.stringify(event),
      createdAt: new Date(event.timestamp),
      instance: '',
    })),
  )
}

const eventIds = prepared((db) => db.select({ id: outbox.eventId }).from(outbox))
const insertEvents = insertAll(outbox)
const forgetInstances = prepared((db) => db.delete(instances))
