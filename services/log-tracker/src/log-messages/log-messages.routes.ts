import type { LogEntry } from '@bursar/contracts/log-entry'
import {
  type CsvColumns,
  csvAnswer,
  csvResponse,
  currentRequestId,
  fieldColumns,
  idempotent,
  operation,
  response,
} from '@bursar/http'
import { Elysia } from 'elysia'
import type { TrackerDeps } from '../deps'
import { exportMessages } from './export-messages'
import { listLogMessages } from './log-messages'
import { ExportQuery, type LogMessage, LogMessagePage, LogMessageQuery, TestMessageAdded } from './log-messages.model'
import { transactionOf } from './record-log-messages'
import { addTestMessage } from './test-message'

/** Reading the log, and sending a message through the queue to see that it arrives. */
export const logMessageRoutes = (deps: Pick<TrackerDeps, 'store' | 'relay' | 'identity' | 'log' | 'now'>) => {
  const once = idempotent(deps)
  return new Elysia({ prefix: '/log-messages', tags: ['Log messages'] })
    .get('/', ({ query }) => listLogMessages(deps.store.read, query), {
      query: LogMessageQuery,
      response: { 200: response(LogMessagePage) },
      detail: operation('listLogMessages', 'List log messages', {
        400: 'A parameter is not valid, or the page is too deep for its sort',
      }),
    })
    .get(
      '/export',
      ({ query }) =>
        csvResponse({ name: 'log-messages', columns, chunks: exportMessages(deps.store.read, query), log: deps.log }),
      {
        query: ExportQuery,
        detail: operation('exportLogMessages', 'Export log messages as CSV, newest first', {
          responses: csvAnswer(exampleTable),
          400: 'A parameter is not valid',
        }),
      },
    )
    .post(
      '/test-add-log-message',
      ({ request, set }) =>
        once({ request, set }, (reply) =>
          addTestMessage(deps, currentRequestId() ?? '', (tx, entry) => reply(tx, 200, toTestMessageAdded(entry))),
        ),
      {
        response: { 200: response(TestMessageAdded) },
        detail: operation('addTestLogMessage', 'Send a sample log message through the message queue', {
          503: 'The message queue did not accept the message, and it was discarded',
        }),
      },
    )
}

const columns: CsvColumns<LogMessage> = {
  ...fieldColumns<LogMessage>('id', 'timestamp', 'service', 'event_type', 'status', 'request_id'),
  transaction_id: ({ metadata }) => transactionOf(metadata),
  metadata: ({ metadata }) => JSON.stringify(metadata),
}
const exampleTable = [
  Object.keys(columns).join(),
  '01a1fe8f-0000-7000-8000-000000000001,2026-01-31T12:00:00.000Z,quote,VALUATION_PROCESSED,SUCCESS,req-1,,"{""rate"":142.5}"',
].join('\r\n')

const toTestMessageAdded = (entry: LogEntry): TestMessageAdded => ({
  message: 'The test log message was handed to the message queue',
  test_data: entry,
})
