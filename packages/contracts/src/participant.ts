import { readCall } from './call'
import { event } from './event'
import { nullable, t, uuid } from './schema'

/** What others may know of a participant; its API key is not among it. */
const ParticipantState = t.Object({
  id: uuid(),
  institutionName: t.String(),
  omnibusAccountId: nullable(uuid()),
  feePayerAccountId: nullable(uuid()),
  version: t.Integer({ minimum: 1 }),
})

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
export const ParticipantDeleted = event(
  'participant.participant.deleted',
  ParticipantState,
  worded('PARTICIPANT_DELETED'),
)

/** For other services only: whose API key has this SHA-256 (hex); 404 when nobody's. */
export const getParticipantByKeyHash = readCall(
  'participant',
  'GET',
  '/internal/participants/by-key/:keyHash',
  t.Object({ id: uuid(), omnibusAccountId: nullable(uuid()), feePayerAccountId: nullable(uuid()) }),
)
/** A participant as its service shows it, as far as others need it; 404 for none. */
export const getParticipant = readCall(
  'participant',
  'GET',
  '/v1/participants/:id',
  t.Object({ id: uuid(), omnibusAccountId: nullable(uuid()) }),
)
