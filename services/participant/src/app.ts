import { searchRoutes, service } from '@bursar/http'
import type { ParticipantDeps } from './deps'
import { internalOwnerRoutes } from './members/internal-owners.routes'
import { accountOwnerRoutes } from './own-accounts/account-owners.routes'
import { internalParticipantRoutes } from './participants/internal-participants.routes'
import { participantRoutes } from './participants/participants.routes'
import { searchParticipants } from './search/search'

/** The participant service (spec 3, Participant service): participants with their customers and accounts. */
export const createApp = (deps: ParticipantDeps) =>
  service({
    ...deps,
    name: 'participant',
    description: 'Participants, each with its customers and their accounts.',
    shape: 'object',
    tags: { Participants: 'Institutions and their customers' },
  })
    .use(participantRoutes(deps))
    .use(internalParticipantRoutes(deps))
    .use(internalOwnerRoutes(deps))
    .use(accountOwnerRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchParticipants(deps.store.read, sought)))
