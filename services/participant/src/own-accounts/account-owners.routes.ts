import { batchOf } from '@bursar/contracts/batch'
import { getAccountOwner, getAccountOwners } from '@bursar/contracts/participant'
import { t, uuid } from '@bursar/contracts/schema'
import { internalRoutes, response } from '@bursar/http'
import type { ParticipantDeps } from '../deps'
import { ownerOfAccount, presentOwnerOfAccount } from './account-owners'

/** Called by other services only (contracts/participant.ts): the participants of accounts. */
export const accountOwnerRoutes = (deps: ParticipantDeps) =>
  internalRoutes(deps.identity, '/internal/account-owners')
    .get('/:accountId', ({ params: { accountId } }) => presentOwnerOfAccount(deps, accountId), {
      params: t.Object({ accountId: uuid() }),
      response: { 200: response(getAccountOwner.answer) },
    })
    .post(
      '/states',
      async ({ body }) => {
        const owners = await Promise.all(body.items.map((id) => ownerOfAccount(deps.store.read, id)))
        return { items: owners.map((owner) => owner ?? null) }
      },
      { body: batchOf(uuid()), response: { 200: response(getAccountOwners.answer) } },
    )
