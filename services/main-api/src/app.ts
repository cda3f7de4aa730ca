import { searchRoutes, service } from '@bursar/http'
import {
  additionalInformationRoutes,
  adminInformationRoutes,
} from './additional-information/additional-information.routes'
import { amlRoutes } from './aml/aml.routes'
import { creditLineRoutes } from './credit-lines/credit-lines.routes'
import { custodianRoutes, custodianTransactionRoutes } from './custodian/custodian.routes'
import { custodianUserRoutes } from './custodian/custodian-users.routes'
import { bankAccountRoutes, internalBankAccountRoutes } from './custodian-banks/bank-accounts.routes'
import { custodianBankRoutes } from './custodian-banks/custodian-banks.routes'
import type { MainApiDeps } from './deps'
import { documentFiles, documentRoutes } from './documents/documents.routes'
import { apiKeyRoutes, internalApiKeyRoutes } from './participants/api-keys.routes'
import { internalParticipantRoutes, participantRoutes } from './participants/participants.routes'
import { adminPfiRoutes } from './reviews/admin-pfi.routes'
import { searchInstitutions } from './search'
import { adminUserRoutes, participantUserRoutes, roleRoutes } from './users/users.routes'

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
      'Additional information': 'Additional information on participants',
      Documents: 'Documents of participants',
      Review: 'The review of participant institutions by administrators',
      'Users and roles': 'Users of the platform and their roles, stored by the identity manager',
      'Credit lines': 'The credit limits of participants, by currency',
      'AML engine': 'Checks of payments for money laundering',
      'Custodian bank': 'The caller’s custodian bank: users, payments, participants, balances',
    },
  })
    .use(participantRoutes(deps))
    .use(adminPfiRoutes(deps))
    .use(adminUserRoutes(deps))
    .use(participantUserRoutes(deps))
    .use(roleRoutes(deps))
    .use(creditLineRoutes(deps))
    .use(amlRoutes(deps))
    .use(custodianRoutes(deps))
    .use(custodianTransactionRoutes(deps))
    .use(custodianUserRoutes(deps))
    .use(documentRoutes(deps))
    .use(bankAccountRoutes(deps))
    .use(custodianBankRoutes(deps))
    .use(additionalInformationRoutes(deps))
    .use(adminInformationRoutes(deps))
    .use(apiKeyRoutes(deps))
    .use(internalParticipantRoutes(deps))
    .use(internalApiKeyRoutes(deps))
    .use(internalBankAccountRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchInstitutions(deps.store.read, sought)))
