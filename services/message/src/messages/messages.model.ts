import { exampleIds } from '@bursar/contracts/examples'
import { messageData, messageType } from '@bursar/contracts/message'
import { about, type Static, t, text } from '@bursar/contracts/schema'
import { keysetQuery, queryInteger, queryOffset } from '@bursar/http'

export { Message, type MessageType, messageTypes, type Sender } from '@bursar/contracts/message'

/** Body of POST /messages (spec 3, Message service); what `data` must hold depends on the type (`checkData`). */
export const NewMessage = t.Object(
  {
    type: messageType(),
    data: messageData(),
    participantId: about('The recipient’s participant id', text(255)),
  },
  {
    title: 'NewMessage',
    examples: [
      { type: 'TEXT', participantId: exampleIds.participant, data: { text: 'Your transfer of 9 March has arrived.' } },
      {
        type: 'RFI',
        participantId: exampleIds.participant,
        data: { subject: 'Transfer of 9 March', questions: ['Who is the beneficial owner?'] },
      },
      { type: 'JSON', participantId: exampleIds.participant, data: { invoice: 'INV-204', dueInDays: 14 } },
    ],
  },
)
export type NewMessage = Static<typeof NewMessage>

/** GET /messages: all by default. */
export const MessageQuery = t.Object({
  type: t.Optional(messageType()),
  limit: t.Optional(queryInteger({ minimum: 0 })),
  offset: t.Optional(queryOffset()),
  participantId: t.Optional(about('Messages for this participant', text(255))),
  q: t.Optional(
    about(
      'Messages whose data contains this text, among the newest that match the other filters: 10,000, or 16 MB of data',
      text(200),
    ),
  ),
  ...keysetQuery,
})
export type MessageQuery = Static<typeof MessageQuery>

/** Any string: an unknown one is a 404 (spec 3, Message service: id string). */
export const ById = t.Object({ id: t.String({ examples: [exampleIds.message] }) })
