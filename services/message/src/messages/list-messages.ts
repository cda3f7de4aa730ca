import { foldedId } from '@bursar/contracts/schema'
import { and, bytesOf, type Db, defineList, desc, eq, inArray, lte, matches, param, sql } from '@bursar/store'
import { toMessage } from './messages'
import type { MessageQuery } from './messages.model'
import { messages } from './messages.table'

/** How many bodies a text search reads at most, and how many bytes of them, since it reads them one by one. */
const searched = 10_000
const searchedBytes = 16 * 1024 * 1024

/** The messages that match the filters, by age. */
export const messageList = defineList({
  id: messages.id,
  rows: (db) => db.select().from(messages),
  to: toMessage,
  large: messages.data,
  read: ({ type, participantId, q }: Pick<MessageQuery, 'type' | 'participantId' | 'q'>) => ({
    form: { hasType: type !== undefined, hasParticipant: participantId !== undefined, hasText: q !== undefined },
    values: {
      type,
      participantId: foldedId(participantId ?? ''),
      pattern: textPattern(q ?? ''),
      searched,
      searchedBytes,
    },
  }),
  where: (form, db) => and(isWanted(form), form.hasText ? hasText(db, form) : undefined),
})

/** The text in its JSON form, with `%` and `_` escaped, and its ASCII letters as `lower` makes them. */
const textPattern = (text: string) =>
  `%${JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\%_]/g, '\\$&')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())}%`

type FilterForm = { hasType: boolean; hasParticipant: boolean }

const isWanted = ({ hasType, hasParticipant }: FilterForm) =>
  and(
    hasType ? eq(messages.type, param('type')) : undefined,
    hasParticipant ? eq(messages.participantId, param('participantId')) : undefined,
  )

function hasText(db: Db, form: FilterForm) {
  const newest = db
    .select({ id: messages.id, bytes: bytesOf(messages.data).as('bytes') })
    .from(messages)
    .where(isWanted(form))
    .orderBy(desc(messages.id))
    .limit(param('searched'))
    .as('newest')
  const summed = db
    .select({ id: newest.id, upTo: sql<number>`sum(${newest.bytes}) over (order by ${newest.id} desc)`.as('up_to') })
    .from(newest)
    .as('summed')
  const read = db
    .select({ id: summed.id })
    .from(summed)
    .where(lte(summed.upTo, param('searchedBytes')))
  return and(inArray(messages.id, read), matches(messages.data, param('pattern')))
}
