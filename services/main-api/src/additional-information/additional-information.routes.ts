import { Deleted, deleted, idempotent, operation, page, pageOf, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { currentParticipant, forCaller } from '../participants/callers'
import { ById } from '../participants/participants.model'
import {
  addInformation,
  changeInformation,
  deleteInformation,
  informationList,
  informationOf,
  toInformation,
} from './additional-information'
import {
  ByInformationId,
  Information,
  InformationChanges,
  InformationOfParticipant,
  InformationQuery,
  NewInformation,
} from './additional-information.model'

const tags = ['Additional information']

/** Spec 3, PFI module: the additional information of participants. */
export const additionalInformationRoutes = (deps: MainApiDeps) =>
  new Elysia({ prefix: '/additional-information', tags })
    .get(
      '/',
      async ({ request }) => {
        const id = await currentParticipant(deps, request)
        return { data: (await informationOf(deps.store.read, id)).map(toInformation) }
      },
      {
        response: { 200: response(InformationOfParticipant) },
        detail: operation(
          'listOwnAdditionalInformation',
          'List the additional information of the calling participant',
          {
            ...forCaller,
            404: 'The participant has not registered here',
          },
        ),
      },
    )
    .get(
      '/participant/:id',
      async ({ params }) => ({ data: (await informationOf(deps.store.read, params.id)).map(toInformation) }),
      {
        params: ById,
        response: { 200: response(InformationOfParticipant) },
        detail: operation('listAdditionalInformationOfParticipant', 'List the additional information of a participant'),
      },
    )

/** Spec 3, Main API, administration: additional information. */
export function adminInformationRoutes(deps: MainApiDeps) {
  const { store, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/admin/additional-information', tags })
    .get(
      '/',
      async ({ query }) => {
        const { rows, total } = await informationList.numbered(store.read, query, query)
        return page(rows.map(toInformation), query, total)
      },
      {
        query: InformationQuery,
        response: { 200: response(pageOf(Information)) },
        detail: operation('listAdditionalInformation', 'List additional information, oldest first'),
      },
    )
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) => reply(tx, 201, toInformation(await addInformation(tx, body, now())))),
        ),
      {
        body: NewInformation,
        response: { 201: response(Information) },
        detail: operation('addAdditionalInformation', 'Add a piece of information about a participant', {
          404: 'There is no such participant',
          409: 'The participant already has a value for this key',
        }),
      },
    )
    .put(
      '/:id',
      async ({ params, body }) =>
        toInformation(await store.commit((tx) => changeInformation(tx, params.id, body, now()))),
      {
        params: ByInformationId,
        body: InformationChanges,
        response: { 200: response(Information) },
        detail: operation('changeAdditionalInformation', 'Change the given fields of a piece of information', {
          409: 'The participant already has a value for this key',
        }),
      },
    )
    .delete(
      '/:id',
      async ({ params }) => {
        await store.commit((tx) => deleteInformation(tx, params.id))
        return deleted('Additional information deleted')
      },
      {
        params: ByInformationId,
        response: { 200: response(Deleted) },
        detail: operation('deleteAdditionalInformation', 'Delete a piece of information'),
      },
    )
}
