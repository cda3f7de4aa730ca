import { failuresOf, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { currentParticipant, forCaller } from '../participants/callers'
import { getParticipant } from '../participants/participants'
import { ById } from '../participants/participants.model'
import { creditLinesOf, setCreditLimit } from './credit-lines'
import { CreditLimit, CreditLine, CreditLines } from './credit-lines.model'

/** What routes about credit lines answer when the transaction manager fails. */
export const creditLineFailures = failuresOf('The transaction manager')

/** Spec 3, Main API: PFI module; and, not in the specification, setting a limit. */
export const creditLineRoutes = (deps: MainApiDeps) =>
  new Elysia({ tags: ['Credit lines'] })
    .get(
      '/credit-line',
      async ({ request }) => ({ data: await creditLinesOf(deps.client, [await currentParticipant(deps, request)]) }),
      {
        response: { 200: response(CreditLines) },
        detail: operation(
          'listCreditLines',
          'List the credit lines of the caller’s participant, one for each currency',
          { ...creditLineFailures, ...forCaller },
        ),
      },
    )
    .get(
      '/participants/:id/credit-line',
      async ({ params: { id } }) => {
        await getParticipant(deps.store.read, id)
        return { data: await creditLinesOf(deps.client, [id]) }
      },
      {
        params: ById,
        response: { 200: response(CreditLines) },
        detail: operation(
          'listCreditLinesOfParticipant',
          'List the credit lines of a participant, one for each currency',
          creditLineFailures,
        ),
      },
    )
    .put(
      '/admin/pfi/:id/credit-line',
      ({ params, body }) => setCreditLimit(deps.store.read, deps.client, params.id, body),
      {
        params: ById,
        body: CreditLimit,
        response: { 200: response(CreditLine) },
        detail: operation('setCreditLine', 'Set the credit limit of a participant in one currency', {
          ...creditLineFailures,
          404: 'There is no such participant',
          409: 'The limit is below the used amount',
        }),
      },
    )
