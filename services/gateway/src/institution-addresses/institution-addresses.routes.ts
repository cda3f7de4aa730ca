import { t, text, uuid } from '@bursar/contracts/schema'
import { response } from '@bursar/http'
import { Elysia } from 'elysia'
import { admins, readers } from '../access/rules'
import { recordSessionAct } from '../audit-trail/session-act'
import { requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { addressesOf, putAddresses } from './institution-addresses'

const ById = t.Object({ id: uuid() })
const Addresses = t.Object(
  { addresses: t.Array(text(49), { maxItems: 200 }) },
  { title: 'InstitutionAddresses', additionalProperties: false },
)

/**
 * The allowed addresses of an institution: staff reads them, an administrator sets them, recorded in the audit trail.
 */
export function institutionAddressRoutes(deps: GatewayDeps) {
  const { store, now } = deps
  const listOf = async (id: string) => ({ addresses: await addressesOf(store.read, id.toLowerCase()) })
  return new Elysia({ prefix: '/console/api/institutions/:id/addresses', detail: { hide: true } })
    .get(
      '/',
      async ({ request, params }) => {
        await requireCounted(deps, request, readers)
        return await listOf(params.id)
      },
      { params: ById, response: { 200: response(Addresses) } },
    )
    .put(
      '/',
      ({ request, params, body: { addresses } }) => {
        const participantId = params.id.toLowerCase()
        return recordSessionAct(deps, request, {
          allowed: admins,
          service: 'gateway',
          action: 'PUT /console/api/institutions/:id/addresses',
          object: participantId,
          request: { params: { id: participantId }, body: { addresses } },
          before: () => listOf(participantId),
          carryOut: async ({ id: changedBy }) => {
            const change = { participantId, addresses, changedBy, changedAt: now() }
            await store.commit((tx) => putAddresses(tx, change))
            deps.institutionAddresses.forget(participantId)
            return { addresses }
          },
          outcomeOf: (after) => ({ after }),
        })
      },
      { params: ById, body: Addresses, response: { 200: response(Addresses) } },
    )
}
