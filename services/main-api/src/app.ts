import { service } from '@bursar/http'
import {
  additionalInformationRoutes,
  adminInformationRoutes,
} from './additional-information/additional-information.routes'
import { apiKeyRoutes, internalApiKeyRoutes } from './api-keys/api-keys.routes'
import { bankAccountRoutes, internalBankAccountRoutes } from './bank-accounts/bank-accounts.routes'
import { custodianBankRoutes } from './custodian-banks/custodian-banks.routes'
import type { MainApiDeps } from './deps'
import { documentFiles, documentRoutes } from './documents/documents.routes'
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
    files: documentFiles,
    tags: {
      Participants: 'Participant institutions (PFI): registration, their own detail, counter-parties',
      'API keys': 'The API keys of participants',
      'Bank accounts': 'The accounts of participants at custodian banks',
      'Custodian banks': 'The banks that hold the money of participants',
      'Additional information': 'What else is known of participants',
      Documents: 'Documents of participants',
      Review: 'The review of participant institutions by administrators',
    },
  })
    .use(apiKeyRoutes(deps))
    .use(participantRoutes(deps))
    .use(adminPfiRoutes(deps))
    .use(documentRoutes(deps))
    .use(bankAccountRoutes(deps))
    .use(custodianBankRoutes(deps))
    .use(additionalInformationRoutes(deps))
    .use(adminInformationRoutes(deps))
    .use(internalParticipantRoutes(deps))
    .use(internalApiKeyRoutes(deps))
    .use(internalBankAccountRoutes(deps))
