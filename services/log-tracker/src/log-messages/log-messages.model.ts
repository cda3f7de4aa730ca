import { LogEntry, logEventTypes, logStatuses } from '@bursar/contracts/log-entry'
import { about, oneOf, type Static, t, text, uuid } from '@bursar/contracts/schema'
import { pageQuery, queryTime, queryUuid, queryWords } from '@bursar/http'

/** A stored log message (spec 3, Log message). */
export const LogMessage = t.Object({ id: uuid(), ...LogEntry.properties }, { title: 'LogMessage' })
export type LogMessage = Static<typeof LogMessage>

export const sortKeys = ['timestamp', 'service', 'status', 'event_type', 'request_id'] as const
export type SortKey = (typeof sortKeys)[number]
export type SortOrder = 'asc' | 'desc'

/** The filters of the list and the stream; the event type is called `type` (spec 3, Endpoints). */
const MessageFilter = t.Object({
  service: t.Optional(about('The service that sent the message', text(100))),
  type: t.Optional(about('The event type', oneOf(logEventTypes))),
  status: t.Optional(about('The status', oneOf(logStatuses))),
  excludeTypes: t.Optional(about('Event types to exclude', queryWords(logEventTypes))),
  requestId: t.Optional(text()),
  transactionId: t.Optional(about('The transaction or payment concerned', queryUuid())),
})
export type MessageFilter = Static<typeof MessageFilter>

/** GET /log-messages/export: the filters of the list, all pages. Both dates are inclusive. */
export const ExportQuery = t.Object({
  startDate: t.Optional(queryTime()),
  endDate: t.Optional(queryTime()),
  ...MessageFilter.properties,
})
export type ExportQuery = Static<typeof ExportQuery>

const page = pageQuery({ sortBy: sortKeys, defaultSort: 'timestamp', defaultOrder: 'desc', limit: 20 })

/** GET /log-messages: `offset` counts pages of `limit` (decisions, Tracker). */
export const LogMessageQuery = t.Object({
  ...page,
  offset: about('The page of `limit` records, from 0', page.offset),
  // Worded as in the specification's example.
  sortOrder: { ...oneOf(['asc', 'desc'], { default: 'desc' }), problem: () => 'must be asc or desc' },
  ...ExportQuery.properties,
})
export type LogMessageQuery = Static<typeof LogMessageQuery>

export const StreamQuery = t.Object({
  ...MessageFilter.properties,
  lastEventId: t.Optional(
    about('The last message that the reader has; the header Last-Event-ID takes precedence', queryUuid()),
  ),
})

/** The tracker's own form of a page (spec 3, Paging shapes). */
export const LogMessagePage = t.Object(
  {
    data: t.Array(LogMessage),
    pagination: t.Object(
      {
        total: t.Integer(),
        offset: about('The number of this page, from 0', t.Integer()),
        limit: t.Integer(),
        hasMore: t.Boolean(),
      },
      { title: 'Pagination' },
    ),
  },
  { title: 'LogMessagePage' },
)
export type LogMessagePage = Static<typeof LogMessagePage>

/** The answer of POST /log-messages/test-add-log-message. */
export const TestMessageAdded = t.Object(
  { message: t.String(), test_data: about('The message that was sent', LogEntry) },
  { title: 'TestMessageAdded' },
)
export type TestMessageAdded = Static<typeof TestMessageAdded>
