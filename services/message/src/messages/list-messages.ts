import {
  and,
  countUpTo,
  type Db,
  desc,
  eq,
  firstAfter,
  inArray,
  inChunks,
  keyset,
  type Order,
  param,
  sql,
  variants,
} from '@bursar/store'
import { toMessage } from './messages'
import type { Message, MessageQuery } from './messages.model'
import { messages } from './messages.table'

/** Bodies are searched one by one: so many of them at most. */
const searched = 10_000

type Filter = Pick<MessageQuery, 'type' | 'participantId' | 'q'>

/** The messages as they go out, oldest first unless told otherwise, a chunk at a time. */
export const readMessages = (
  db: Db,
  { order = 'asc', after, limit, offset, ...filter }: Omit<MessageQuery, 'count'>,
): AsyncGenerator<Message[]> =>
  inChunks(
    async (place) => {
      const rows = await page({ ...formOf(filter), order })(db).execute({ ...place, ...valuesOf(filter) })
      return rows.map(toMessage)
    },
    { size: 100, start: firstAfter(order, after), keyOf: ({ id }) => id, limit, offset },
  )

/** How many messages pass the filters. */
export async function countMessages(db: Db, filter: Filter): Promise<number> {
  const [row] = await total(formOf(filter))(db).execute(valuesOf(filter))
  return row?.total ?? 0
}

type FilterForm = { hasType: boolean; hasParticipant: boolean; hasText: boolean }

const formOf = ({ type, participantId, q }: Filter): FilterForm => ({
  hasType: type !== undefined,
  hasParticipant: participantId !== undefined,
  hasText: q !== undefined,
})
const valuesOf = ({ type, participantId, q = '' }: Filter) => ({
  type,
  participantId,
  pattern: textPattern(q),
  searched,
})

/** As the text stands in JSON; `%` and `_` in it mean themselves. */
const textPattern = (text: string) =>
  `%${JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, '\\$&')}%`

const isWanted = ({ hasType, hasParticipant }: FilterForm) =>
  and(
    hasType ? eq(messages.type, param('type')) : undefined,
    hasParticipant ? eq(messages.participantId, param('participantId')) : undefined,
  )

/** SQLite's LIKE takes letters of ASCII in any case. */
const hasText = (db: Db, form: FilterForm) =>
  and(
    inArray(
      messages.id,
      db
        .select({ id: messages.id })
        .from(messages)
        .where(isWanted(form))
        .orderBy(desc(messages.id))
        .limit(param('searched')),
    ),
    sql`${messages.data} like ${param('pattern')} escape '\\'`,
  )
const conditions = (db: Db, form: FilterForm) => and(isWanted(form), form.hasText ? hasText(db, form) : undefined)

const page = variants(({ order, ...form }: FilterForm & { order: Order }) => (db) => {
  const { beyond, by } = keyset(messages.id, order)
  return db
    .select()
    .from(messages)
    .where(and(conditions(db, form), beyond))
    .orderBy(by)
    .limit(param('limit'))
    .offset(param('offset'))
})
const total = variants((form: FilterForm) => (db) => countUpTo(db, messages, conditions(db, form)))
