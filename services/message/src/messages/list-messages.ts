import { foldedId } from '@bursar/contracts/schema'
import { and, type Db, defineList, desc, eq, inArray, matches, param } from '@bursar/store'
import { toMessage } from './messages'
import type { MessageQuery } from './messages.model'
import { messages } from './messages.table'

/** The maximum number of bodies that a text search reads, since it reads them one by one. */
const searched = 10_000

/** The messages that match the filters, by age. */
export const messageList = defineList({
  id: messages.id,
  rows: (db) => db.select().from(messages),
  to: toMessage,
  read: ({ type, participantId, q }: Pick<MessageQuery, 'type' | 'participantId' | 'q'>) => ({
    form: { hasType: type !== undefined, hasParticipant: participantId !== undefined, hasText: q !== undefined },
    values: { type, participantId: foldedId(participantId ?? ''), pattern: textPattern(q ?? ''), searched },
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
    matches(messages.data, param('pattern')),
  )
