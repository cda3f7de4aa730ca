import { type Deps, service } from '@bursar/http'
import type { ApiKeys } from './api-keys/api-keys'
import { internalParticipantRoutes } from './participants/internal-participants.routes'
import { participantRoutes } from './participants/participants.routes'
import type { Sagas } from './sagas/sagas'

/** What the participant service is made from. */
export interface ParticipantDeps extends Deps {
  readonly apiKeys: ApiKeys
  readonly sagas: Sagas
}

/** The participant service (spec 3, Participant service): participants with their customers and accounts. */
export const createApp = (deps: ParticipantDeps) =>
  service({
    ...deps,
    name: 'participant',
    description: 'Participants, each with its customers and their accounts.',
    shape: 'object',
    tags: { Participants: 'Institutions that take part, with whom they serve' },
  })
    .use(participantRoutes(deps))
    .use(internalParticipantRoutes(deps))
