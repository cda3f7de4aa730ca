import { foldedId } from '@bursar/contracts/schema'
import { DeliveryRequested } from '@bursar/contracts/webhook'
import { type Db, emit, insertInto, newId, rowBy, type Tx } from '@bursar/store'
import { fail } from '../errors'
import { checkData } from './check-data'
import type { Message, NewMessage, Sender } from './messages.model'
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

export async function findMessage(db: Db, id: string): Promise<MessageRow | undefined> {
  const row = await messageById(db, id.toLowerCase())
  return row
}

export async function getMessage(db: Db, id: string): Promise<MessageRow> {
  const row = await findMessage(db, id)
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** The message as the API returns it. */
export const toMessage = ({ id, type, data, participantId, sender, createdAt }: MessageRow): Message => ({
  id,
  type,
  data,
  participantId,
  sender,
  createdAt: createdAt.toISOString(),
})

const insertMessage = insertInto(messages)
const messageById = rowBy(messages, 'id')
