import { t } from '@bursar/contracts/schema'
import { response } from '@bursar/http'
import { Elysia } from 'elysia'
import { readers } from '../access/rules'
import { requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { idList, idsIn } from '../id-list'
import { createRecordOwners } from './record-owners'
import { RecordOwner } from './record-owners.model'

/** The owners of accounts and customers, by name: for the console's lists, which staff reads. */
export function recordOwnerRoutes(deps: GatewayDeps) {
  const owners = createRecordOwners(deps.client, () => deps.now().getTime())
  return new Elysia({ prefix: '/console/api/owners', detail: { hide: true } }).get(
    '/',
    async ({ request, query }) => {
      await requireCounted(deps, request, readers)
      return await owners(idsIn(query.accounts), idsIn(query.customers))
    },
    {
      query: t.Object({ accounts: t.Optional(idList()), customers: t.Optional(idList()) }),
      response: { 200: response(t.Array(RecordOwner)) },
    },
  )
}
