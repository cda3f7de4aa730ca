import type { LogEntry } from '@bursar/contracts/log-entry'
import { currentRequestId, errorResponses, idempotent, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TrackerDeps } from '../deps'
import { listLogMessages } from './log-messages'
import { LogMessagePage, LogMessageQuery, TestMessageAdded } from './log-messages.model'
import { addTestMessage } from './test-message'

/** Reading the log, and sending a message through the queue to see that it arrives. */
export const logMessageRoutes = (deps: Pick<TrackerDeps, 'store' | 'relay' | 'identity'>) => {
  const once = idempotent(deps)
  return new Elysia({ prefix: '/log-messages', tags: ['Log messages'] })
    .get('/', ({ query }) => listLogMessages(deps.store.read, query), {
      query: LogMessageQuery,
      response: { 200: response(LogMessagePage) },
      detail: {
        operationId: 'listLogMessages',
        summary: 'List log messages',
        responses: errorResponses({ 400: 'A parameter is not valid, or the page is too deep for its sort' }),
      },
    })
    .post(
      '/test-add-log-message',
      ({ request, set }) =>
        once({ request, set }, (reply) =>
          addTestMessage(deps, currentRequestId() ?? '', (tx, entry) => reply(tx, 200, toTestMessageAdded(entry))),
        ),
      {
        response: { 200: response(TestMessageAdded) },
        detail: {
          operationId: 'addTestLogMessage',
          summary: 'Send a sample log message through the message queue',
          responses: errorResponses({ 503: 'The message queue did not take the message; it was taken back' }),
        },
      },
    )
}

const toTestMessageAdded = (entry: LogEntry): TestMessageAdded => ({
  message: 'The test log message was handed to the message queue',
  test_data: entry,
})
