import { service } from '@bursar/http'
import { apiKeyRoutes, internalApiKeyRoutes } from './api-keys/api-keys.routes'
import type { MainApiDeps } from './deps'
import { internalParticipantRoutes } from './participants/internal-participants.routes'
import { participantRoutes } from './participants/participants.routes'
import { adminPfiRoutes } from './reviews/admin-pfi.routes'

/** The main API (spec 3, Main API): administration, participant institutions (PFI) and custodian banks. */
export const createApp = (deps: MainApiDeps) =>
  service({
    ...deps,
    name: 'main-api',
    description: 'Administration, participant institutions (PFI) and custodian banks.',
    shape: 'object',
    tags: {
      Participants: 'Participant institutions (PFI): registration, their own detail, counter-parties',
      'API keys': 'The API keys of participants',
      Review: 'The review of participant institutions by administrators',
    },
  })
    .use(apiKeyRoutes(deps))
    .use(participantRoutes(deps))
    .use(adminPfiRoutes(deps))
    .use(internalParticipantRoutes(deps))
    .use(internalApiKeyRoutes(deps))
