import { t } from '@bursar/contracts/schema'
import {
  type Caller,
  type Deps,
  idempotent,
  jsonArray,
  operation,
  ownKeyOf,
  response,
  totalHeader,
  totalText,
} from '@bursar/http'
import { Elysia } from 'elysia'
import { messageList } from './list-messages'
import { createMessage, getMessage, toMessage } from './messages'
import { ById, Message, MessageQuery, NewMessage, type Sender } from './messages.model'

/** Spec 3, Endpoints, Message service. */
export function messageRoutes(deps: Deps) {
  const { store, log, identity } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/messages', tags: ['Messages'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const sender = senderOf(await identity.read(request))
          return await store.commit(
            async (tx) => reply(tx, 201, toMessage(await createMessage(tx, body, sender, deps.now()))),
            ownKeyOf(request),
          )
        }),
      {
        body: NewMessage,
        response: { 201: response(Message) },
        detail: operation('createMessage', 'Send a message to a participant', {
          description: 'It is delivered to the recipient’s webhook endpoints that subscribe to `message.created`.',
        }),
      },
    )
    .get(
      '/',
      async ({ query: { count, ...query }, set }) => {
        if (count) set.headers[totalHeader] = totalText(await messageList.count(store.read, query))
        return await jsonArray(messageList.chunks(store.read, query, query, 100), log)
      },
      {
        query: MessageQuery,
        response: { 200: response(t.Array(Message)) },
        detail: operation('listMessages', 'List messages, oldest first by default'),
      },
    )
    .get('/:id', async ({ params }) => toMessage(await getMessage(store.read, params.id)), {
      params: ById,
      response: { 200: response(Message) },
      detail: operation('getMessage', 'Get a message'),
    })
}

const senderOf = (caller: Caller | null): Sender | null =>
  caller === null || caller.kind === 'anonymous'
    ? null
    : { kind: caller.kind, id: caller.subject, participantId: caller.participantId }
