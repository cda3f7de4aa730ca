import { Kind, TypeRegistry } from '@sinclair/typebox'
import { exampleAddress, exampleIds, exampleNames } from './examples'
import { Message } from './message'
import { Event, type NotificationType } from './notification'
import { AddressResult, jobStatuses, ScreeningSource, TransactionResult } from './sanctions'
import { about, nullable, oneOf, type TSchema, t, timestamp, uuid } from './schema'

/** A type of event for webhook endpoints. */
export interface WebhookEvent {
  readonly type: string
  readonly description: string
  /** The schema of the delivered body. */
  readonly body: TSchema
  /** A body, for the documents and for tests of endpoints. */
  readonly example: Readonly<Record<string, unknown>>
}

const bodyOf = (type: string, data: TSchema): TSchema =>
  t.Object({ type: t.Literal(type), timestamp: about('When it happened', timestamp()), data })

const JobEnded = t.Object(
  {
    jobId: uuid(),
    externalId: about('The caller’s own name of the job', t.String()),
    status: about('How the job ended', oneOf(jobStatuses)),
    result: about('Null when the screening failed', nullable(t.Union([AddressResult, TransactionResult]))),
  },
  { title: 'SanctionsJobEnded' },
)

const SanctionsHit = t.Object(
  {
    hitId: about('The hit, the same in every delivery of it', uuid()),
    address: t.String(),
    blockchain: t.String(),
    transactionId: about(
      'The ledger’s last transaction with it; null where it was only screened',
      nullable(t.String()),
    ),
    source: about('The evidence', ScreeningSource),
  },
  { title: 'SanctionsHit' },
)

const TestedEndpoint = t.Object({ endpointId: uuid(), participantId: t.String() }, { title: 'TestedEndpoint' })

/** The events are polled in the same form (GET /events of the notification service). */
const notifications: Record<NotificationType, readonly [description: string, status: string]> = {
  'payment.created': ['A payment between banks was made', 'PENDING'],
  'payment.accepted': ['A payment between banks was approved', 'APPROVED'],
  'payment.rejected': ['A payment between banks was rejected', 'REJECTED'],
  'payment.executed': ['A payment between banks was completed', 'COMPLETED'],
  'payment.cancelled': ['A payment between banks was cancelled', 'CANCELLED'],
  'transaction.status_updated': [
    'A deposit, withdrawal or transfer of the core ledger has another status, or a payment between banks one of the others',
    'COMPLETED',
  ],
}

const at = '2026-01-31T12:00:00.000Z'
const exampleEventId = '01900000-0000-7000-8000-000000000701'
const exampleHitId = '01900000-0000-7000-8000-000000000702'

const payment = (status: string) => ({
  ...{ transactionId: exampleIds.payment, type: 'TRANSFER', status, amount: '2500.00', currency: 'USD' },
  ...{ fromParticipant: exampleIds.participant, toParticipant: exampleIds.pfi },
})
const withdrawal = (status: string) => ({
  ...{ transactionId: exampleIds.withdrawal, type: 'WITHDRAWAL', status, amount: '12.5', currency: 'USDC' },
  ...{ fromParticipant: exampleIds.participant, toParticipant: null },
})
const job = (status: string, result: object | null) => ({
  ...{ jobId: exampleIds.screeningJob, externalId: exampleNames.screening, status, result },
})
const screened = { address: exampleAddress, blockchain: 'polygon' }
const source = { provider: 'local', match: false, details: { list: 'OFAC SDN' } }

/** Every type of event that is delivered to endpoints. */
export const webhookEvents: readonly WebhookEvent[] = [
  {
    type: 'message.created',
    description: 'A message was written to the participant',
    body: bodyOf('message.created', Message),
    example: {
      type: 'message.created',
      timestamp: at,
      data: {
        ...{ id: exampleIds.message, type: 'TEXT', data: { text: 'The statement of January is ready' } },
        ...{ participantId: exampleIds.participant, sender: null, createdAt: at },
      },
    },
  },
  ...Object.entries(notifications).map(([type, [description, status]]) => {
    const data = type === 'transaction.status_updated' ? withdrawal(status) : payment(status)
    return { type, description, body: Event, example: { id: exampleEventId, type, timestamp: at, data } }
  }),
  {
    type: 'sanctions.completed',
    description: 'A screening job of the participant has its result',
    body: bodyOf('sanctions.completed', JobEnded),
    example: {
      type: 'sanctions.completed',
      timestamp: at,
      data: job('completed', { ...screened, sanctioned: false, sources: [source], checkedAt: at }),
    },
  },
  {
    type: 'sanctions.failed',
    description: 'A screening job of the participant failed, without a result',
    body: bodyOf('sanctions.failed', JobEnded),
    example: { type: 'sanctions.failed', timestamp: at, data: job('failed', null) },
  },
  {
    type: 'sanctions.hit',
    description: 'An address that the participant screened or transacted with is on a new list',
    body: bodyOf('sanctions.hit', SanctionsHit),
    example: {
      type: 'sanctions.hit',
      timestamp: at,
      data: {
        hitId: exampleHitId,
        ...screened,
        transactionId: exampleIds.withdrawal,
        source: { ...source, match: true },
      },
    },
  },
  {
    type: 'webhook.test',
    description: 'Sent by the route that tests an endpoint, whatever its event types',
    body: bodyOf('webhook.test', TestedEndpoint),
    example: {
      type: 'webhook.test',
      timestamp: at,
      data: { endpointId: exampleIds.endpoint, participantId: exampleIds.participant },
    },
  },
]

/** Whether a pattern matches a type: the type itself, `prefix.*` for all that begin so, or `*` for all. */
export const takesEvent = (pattern: string, type: string): boolean =>
  pattern === '*' || pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** Null for a pattern that matches a type of the catalogue, else the problem. */
function eventPatternProblem(pattern: unknown): string | null {
  if (typeof pattern !== 'string') return 'must be a string'
  return webhookEvents.some(({ type }) => takesEvent(pattern, type))
    ? null
    : 'must be a type of GET /webhooks/event-types, a prefix of one with .*, or *'
}

TypeRegistry.Set('EventPattern', (_schema, value) => eventPatternProblem(value) === null)
/** A TypeBox kind of its own, for patterns that match a type of the catalogue. */
export const eventPattern = () =>
  t.Unsafe<string>({
    [Kind]: 'EventPattern',
    type: 'string',
    description: 'A type of GET /webhooks/event-types, a prefix of one with `.*` (`payment.*`), or `*`',
    problem: eventPatternProblem,
  })
