import { exampleApiKey } from '@bursar/contracts/examples'
import {
  authenticatedParticipant,
  type Deps,
  failuresOf,
  forParticipant,
  operation,
  requireMayCreate,
  response,
} from '@bursar/http'
import { Elysia } from 'elysia'
import { toAccount } from '../accounts/accounts'
import { Account } from '../accounts/accounts.model'
import { findParticipantAccount, type ParticipantAccountType, requireParticipantAccount } from './participant-accounts'

const notes = {
  401: 'No participant is found in the request',
  403: 'The participant has none yet, and is paused',
  ...failuresOf('The participant service'),
  ...forParticipant(exampleApiKey),
}

/** Spec 3, GET /accounts/omnibus and /accounts/fee-payer. */
export function participantAccountRoutes(deps: Deps) {
  const { store } = deps
  const ofCaller =
    (type: ParticipantAccountType) =>
    async ({ request }: { request: Request }) => {
      const participantId = await authenticatedParticipant(deps, request)
      const known = await findParticipantAccount(store.read, participantId, type)
      if (known) return toAccount(known)
      await requireMayCreate(deps.identity, request)
      return toAccount(await store.commit((tx) => requireParticipantAccount(tx, participantId, type, deps.now())))
    }
  return new Elysia({ prefix: '/accounts', tags: ['Accounts'] })
    .get('/omnibus', ofCaller('OMNIBUS'), {
      response: { 200: response(Account) },
      detail: operation(
        'getOmnibusAccount',
        'Get or create the omnibus account of the authenticated participant',
        notes,
      ),
    })
    .get('/fee-payer', ofCaller('FEE_PAYER'), {
      response: { 200: response(Account) },
      detail: operation(
        'getFeePayerAccount',
        'Get or create the fee payer account of the authenticated participant',
        notes,
      ),
    })
}
