import { and, asc, type Db, eq, gt, inChunks, param, variants } from '@bursar/store'
import { toMessage } from './messages'
import type { Message, MessageQuery } from './messages.model'
import { messages } from './messages.table'

/** The messages as they go out, oldest first, a chunk at a time. */
export const readMessages = (db: Db, { type, limit, offset }: MessageQuery): AsyncGenerator<Message[]> =>
  inChunks(
    async (place) => {
      const rows = await messagesAfter({ hasType: type !== undefined })(db).execute({ ...place, type })
      return rows.map(toMessage)
    },
    { size: 100, start: '', keyOf: ({ id }) => id, limit, offset },
  )

const messagesAfter = variants(
  ({ hasType }: { hasType: boolean }) =>
    (db) =>
      db
        .select()
        .from(messages)
        .where(and(gt(messages.id, param('after')), hasType ? eq(messages.type, param('type')) : undefined))
        .orderBy(asc(messages.id))
        .limit(param('limit'))
        .offset(param('offset')),
)
