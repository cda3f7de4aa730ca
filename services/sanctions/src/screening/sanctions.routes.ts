import {
  callingParticipant,
  idempotencyKeyOf,
  idempotent,
  operation,
  ownKeyOf,
  type Reply,
  response,
} from '@bursar/http'
import { Elysia } from 'elysia'
import type { SanctionsDeps } from '../deps'
import { areWatched, type ScreenedAddress, watch } from '../watch/watch'
import { screenAddress } from './screen-address'
import { screenTransaction } from './screen-transaction'
import { AddressResult, AddressToVerify, TransactionResult, TransactionToVerify } from './screening.model'

const failures = {
  401: 'The API key or the identity is not valid',
  503: 'A source cannot be reached: there is no result',
}

/** Spec 3, Endpoints, Sanctions service: screenings that are answered at once. */
export function screeningRoutes(deps: SanctionsDeps) {
  const { store, now } = deps
  const once = idempotent(deps)

  /** Screens, watches the screened addresses from then on, and answers with the result. */
  async function answer<R>(
    request: Request,
    reply: Reply,
    screen: () => Promise<{ result: R; screened: ScreenedAddress[] }>,
  ) {
    const participantId = await callingParticipant(deps, request)
    const { result, screened } = await screen()
    const sightings = screened.map((each) => ({ ...each, participantId, ledgerTransactionId: null }))
    const isKnown = idempotencyKeyOf(request) === null && (await areWatched(store.read, sightings))
    if (isKnown) return result
    const keys = [ownKeyOf(request), ...sightings.map(({ key }) => key)]
    return await store.commit(async (tx) => {
      await watch(tx, sightings, now())
      return await reply(tx, 200, result)
    }, keys)
  }

  return new Elysia({ prefix: '/sanctions', tags: ['Sanctions'] })
    .post(
      '/verify-address/sync',
      ({ request, set, body }) =>
        once({ request, set }, (reply) => answer(request, reply, () => screenAddress(deps, body))),
      {
        body: AddressToVerify,
        response: { 200: response(AddressResult) },
        detail: operation('verifyAddressSync', 'Screen an address and wait for the result', {
          description: 'The address is watched from then on: it is compared with each new list.',
          ...failures,
        }),
      },
    )
    .post(
      '/verify-transaction/sync',
      ({ request, set, body }) =>
        once({ request, set }, (reply) => answer(request, reply, () => screenTransaction(deps, body))),
      {
        body: TransactionToVerify,
        response: { 200: response(TransactionResult) },
        detail: operation('verifyTransactionSync', 'Screen a transaction by its parties and wait for the result', {
          ...failures,
          404: 'The blockchain does not know the transaction',
        }),
      },
    )
}
