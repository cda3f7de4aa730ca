import { about, jsonObject, nullable, oneOf, type Static, t, timestamp, uuid } from './schema'
import { Actor } from './status-history'

/** Decisions, Message types. */
export const messageTypes = ['JSON', 'TEXT', 'ISO20022', 'RFI'] as const
export type MessageType = (typeof messageTypes)[number]

export const messageType = () =>
  about('What `data` holds: any object (JSON), a text, an ISO 20022 message, or questions (RFI)', oneOf(messageTypes))
export const messageData = () =>
  about(
    'JSON: any object. TEXT: `{text}`. RFI: `{subject, questions[]}`. ISO20022: `{messageType, xml}` or `{messageType, document}`',
    jsonObject(),
  )

/** The sender of a message, as verified by the gateway. */
const Sender = t.Object(
  {
    ...Actor.properties,
    participantId: about('The participant that it belongs to; null for one of the operators', nullable(t.String())),
  },
  { title: 'Sender' },
)
export type Sender = Static<typeof Sender>

/** A message (spec 3, Message); its sender is ours. */
export const Message = t.Object(
  {
    id: uuid(),
    type: messageType(),
    data: messageData(),
    participantId: t.String(),
    sender: about('Who wrote it; null where the caller did not prove who it is', nullable(Sender)),
    createdAt: timestamp(),
  },
  { title: 'Message' },
)
export type Message = Static<typeof Message>
