import { foldedId, type Static, type TSchema, t, text } from '@bursar/contracts/schema'
import { DeliveryRequested } from '@bursar/contracts/webhook'
import { type FieldProblem, fieldProblems } from '@bursar/http'
import { type Db, emit, insertInto, newId, rowBy, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { checkIso20022, Iso20022Data } from '../iso20022/check-iso20022'
import type { Message, MessageType, NewMessage, Sender } from './messages.model'
import { messages } from './messages.table'

export type MessageRow = typeof messages.$inferSelect

/**
 * Stores a message and requests its delivery to the recipient's webhook. Fails (400) when its data does not fit its
 * type.
 */
export async function createMessage(tx: Tx, { type, data, ...to }: NewMessage, sender: Sender | null, now: Date) {
  const fields = checkData(type, data)
  if (fields.length > 0) throw fail('DATA_INVALID', { fields })
  const participantId = foldedId(to.participantId)
  const row: MessageRow = { id: newId(now), type, data, participantId, sender, createdAt: now }
  await insertMessage(tx).execute(row)
  const message = toMessage(row)
  const delivery = {
    v: 1 as const,
    requestId: row.id,
    eventType: 'message.created',
    participantId,
    fallbackUrl: null,
    headers: null,
    payload: { type: 'message.created', timestamp: message.createdAt, data: message },
  }
  await emit(tx, DeliveryRequested, delivery, now)
  return row
}

export const findMessage = (db: Db, id: string): Promise<MessageRow | undefined> => messageById(db, id.toLowerCase())

export async function getMessage(db: Db, id: string): Promise<MessageRow> {
  const row = await findMessage(db, id)
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** The message as the API returns it. */
export const toMessage = ({ createdAt, ...row }: MessageRow): Message => ({
  ...row,
  createdAt: createdAt.toISOString(),
})

const insertMessage = insertInto(messages)
const messageById = rowBy(messages, 'id')

const words = (maxLength: number) => t.String({ minLength: 1, maxLength })

const TextData = t.Object({ text: words(100_000) })
const RfiData = t.Object({ subject: text(500), questions: t.Array(words(10_000), { minItems: 1, maxItems: 100 }) })

/**
 * The problems of a message's data for its type: JSON allows any object, TEXT `{text}`, RFI `{subject, questions[]}`,
 * ISO20022 `{messageType, xml}` or `{messageType, document}`. Empty when there are none.
 */
function checkData(type: MessageType, data: Record<string, unknown>): FieldProblem[] {
  switch (type) {
    case 'JSON':
      return []
    case 'TEXT':
      return within(TextData, data)
    case 'RFI':
      return within(RfiData, data)
    case 'ISO20022': {
      const problems = within(Iso20022Data, data)
      return problems.length > 0 ? problems : inData(checkIso20022(data as Static<typeof Iso20022Data>))
    }
  }
}

const within = (schema: TSchema, data: unknown): FieldProblem[] => inData(fieldProblems(schema, data))

const inData = (problems: FieldProblem[]): FieldProblem[] =>
  problems.map(({ field, message }) => ({ field: `data.${field}`, message: `data.${message}` }))
