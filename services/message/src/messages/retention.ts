import { asc, bytesOf, deleteAll, idFloor, lt, param, prepared, type Retained } from '@bursar/store'
import { messages } from './messages.table'

/** Messages leave by their age: their ids are UUID v7. */
export const retainedMessages: Retained<typeof messages.$inferSelect> = {
  table: 'messages',
  oldest: (db, { before, limit }) => oldest(db).execute({ before: idFloor(before), limit }),
  sizes: (db, { before, limit }) => oldestSizes(db).execute({ before: idFloor(before), limit }),
  named: ({ createdAt, id }) => ({ at: createdAt, key: id }),
  archived: (message) => message,
  remove: (tx, rows) =>
    removeAll(
      tx,
      rows.map(({ id }) => id),
    ),
}

const oldest = prepared((db) =>
  db
    .select()
    .from(messages)
    .where(lt(messages.id, param('before')))
    .orderBy(asc(messages.id))
    .limit(param('limit')),
)
const oldestSizes = prepared((db) =>
  db
    .select({ bytes: bytesOf(messages.data) })
    .from(messages)
    .where(lt(messages.id, param('before')))
    .orderBy(asc(messages.id))
    .limit(param('limit')),
)
const removeAll = deleteAll(messages, 'id')
