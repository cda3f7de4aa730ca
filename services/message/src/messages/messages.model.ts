import { jsonObject, oneOf, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { queryInteger, queryOffset } from '@bursar/http'

/** Decisions, Message types. */
export const messageTypes = ['JSON', 'TEXT', 'ISO20022', 'RFI'] as const
export type MessageType = (typeof messageTypes)[number]

/** Body of POST /messages (spec 3, Message service); what `data` must hold depends on the type (check-data.ts). */
export const NewMessage = t.Object({ type: oneOf(messageTypes), data: jsonObject(), participantId: text(255) })
export type NewMessage = Static<typeof NewMessage>

/** A message (spec 3, Message). */
export const Message = t.Object(
  {
    id: uuid(),
    type: oneOf(messageTypes),
    data: jsonObject(),
    participantId: t.String(),
    createdAt: timestamp(),
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>

/** GET /messages: all of them unless told otherwise. */
export const MessageQuery = t.Object({
  type: t.Optional(oneOf(messageTypes)),
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryOffset()),
})
export type MessageQuery = Static<typeof MessageQuery>

/** Any string: one that no message has is a 404 (spec 3, Message service: id string). */
export const ById = t.Object({ id: t.String() })
