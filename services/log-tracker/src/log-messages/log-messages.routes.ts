import { currentRequestId, type Deps, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { listLogMessages } from './log-messages'
import { LogMessagePage, LogMessageQuery, TestMessageAdded } from './log-messages.model'
import { addTestMessage } from './test-message'

/** Reading the log, and sending a message through the queue to see that it arrives. */
export const logMessageRoutes = ({ store, relay }: Pick<Deps, 'store' | 'relay'>) => {
  const once = idempotent(store)
  return new Elysia({ prefix: '/log-messages', tags: ['Log messages'] })
    .get('/', ({ query }) => listLogMessages(store, query), {
      query: LogMessageQuery,
      response: { 200: response(LogMessagePage) },
      detail: { summary: 'List log messages' },
    })
    .post(
      '/test-add-log-message',
      ({ request, set }) =>
        once({ request, set }, 200, (store) => addTestMessage(store, relay, currentRequestId() ?? '')),
      {
        response: { 200: response(TestMessageAdded) },
        detail: {
          summary: 'Send a sample log message through the message queue',
          responses: errorResponses({ 503: 'The message queue did not take the message; it was taken back' }),
        },
      },
    )
}
