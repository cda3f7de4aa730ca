import { batchCall } from './batch'
import { readCall, writeCall } from './call'
import { event } from './event'
import { changeMark, changesCall } from './replica'
import { jsonObject, nullable, type Static, t, text, timestamp, uuid } from './schema'

/** A participant as other services see it; its API key is not in it. A deleted one stays, with its time. */
const ParticipantRecord = t.Object({
  id: uuid(),
  institutionName: t.String(),
  omnibusAccountId: nullable(uuid()),
  feePayerAccountId: nullable(uuid()),
  deletedAt: nullable(timestamp()),
})
export type ParticipantRecord = Static<typeof ParticipantRecord>

/** The same with its mark. */
const ParticipantState = t.Object({ ...ParticipantRecord.properties, ...changeMark })
export type ParticipantState = Static<typeof ParticipantState>

const worded = (event_type: 'PARTICIPANT_CREATED' | 'PARTICIPANT_UPDATED' | 'PARTICIPANT_DELETED') => ({
  type: event_type,
  consumers: ['log-tracker'] as const,
  log: ({ id, institutionName }: { id: string; institutionName: string }) => ({
    event_type,
    status: 'SUCCESS' as const,
    metadata: { participant_id: id, institution_name: institutionName },
  }),
})

export const ParticipantCreated = event(
  'participant.participant.created',
  ParticipantState,
  worded('PARTICIPANT_CREATED'),
)
export const ParticipantUpdated = event(
  'participant.participant.updated',
  ParticipantState,
  worded('PARTICIPANT_UPDATED'),
)
export const ParticipantDeleted = event('participant.participant.deleted', ParticipantState, {
  ...worded('PARTICIPANT_DELETED'),
  consumers: ['log-tracker', 'identity-manager', 'core-ledger', 'webhook', 'transaction-manager'],
})

/** For other services only: the participant whose valid API key has this SHA-256 (hex), else 404. */
export const getParticipantByKeyHash = readCall(
  'participant',
  'GET',
  '/internal/participants/by-key/:keyHash',
  t.Object({ id: uuid(), omnibusAccountId: nullable(uuid()), feePayerAccountId: nullable(uuid()) }),
)
/** For other services only: a participant with its mark, for a replica that lacks it; 404 when there is none. */
export const getParticipantState = readCall('participant', 'GET', '/internal/participants/:id', ParticipantState)
/** For other services only: the participants that changed. */
export const participantChanges = changesCall('participant', '/internal/participants/changes', ParticipantRecord)

/** A participant with the accounts of its customers: what other services need of GET /participants/:id. */
export const getParticipant = readCall(
  'participant',
  'GET',
  '/v1/participants/:id',
  t.Object({
    id: uuid(),
    omnibusAccountId: nullable(uuid()),
    routerData: nullable(jsonObject()),
    customers: t.Array(t.Object({ accounts: t.Array(t.Object({ id: uuid() })) })),
  }),
)

/** An institution that was approved: its name, and its API keys. */
export const Admission = t.Object({
  institutionName: text(255),
  /** Its newest key. */
  authConsumerId: text(255),
  /** The key was shown to nobody: a participant with a key keeps its own, unless `previousUntil` ends it. */
  isPlaceholder: t.Optional(t.Boolean()),
  /**
   * The time until which earlier keys are valid at most; by default each has its own end, and a key set at the
   * participant service has a day.
   */
  previousUntil: t.Optional(timestamp()),
  /** The keys that the main API issued to it, each with its end. */
  issued: t.Optional(
    t.Array(t.Object({ keyHash: t.String({ pattern: '^[0-9a-f]{64}$' }), validUntil: timestamp() }), { maxItems: 100 }),
  ),
})
export type Admission = Static<typeof Admission>

/**
 * For the main API: the participant of an approved institution, under that institution's id. The same again changes
 * nothing; another name, a new key and the ends of keys are taken over. 409 when the key is another participant's, 404 when the participant was
 * deleted.
 */
export const admitParticipant = writeCall(
  'participant',
  'PUT',
  '/internal/participants/:id',
  Admission,
  t.Object({ id: uuid() }),
)

/** The participant of a customer: a participant's transactions are those of its own and its customers' accounts. */
const CustomerOwner = t.Object({ customerId: uuid(), participantId: uuid() })
export type CustomerOwner = Static<typeof CustomerOwner>
export const CustomerOwned = event(
  'participant.customer.owned',
  t.Object({ ...CustomerOwner.properties, ...changeMark }),
  { consumers: ['core-ledger'] },
)
/** For other services only: the participant of a customer; 404 without one. */
export const getCustomerOwner = readCall('participant', 'GET', '/internal/customer-owners/:customerId', CustomerOwner)
/** For other services only: the customers that got an owner. */
export const customerOwnerChanges = changesCall('participant', '/internal/customer-owners/changes', CustomerOwner)

/** The participant of an account: its own, or that of the account's customer. */
const AccountOwner = t.Object({ accountId: uuid(), participantId: uuid() })
export type AccountOwner = Static<typeof AccountOwner>
/** For other services only: the participant of an account; 404 without one. */
export const getAccountOwner = readCall('participant', 'GET', '/internal/account-owners/:accountId', AccountOwner)
/** The same for many. */
export const getAccountOwners = batchCall('participant', '/internal/account-owners/states', uuid(), AccountOwner)
