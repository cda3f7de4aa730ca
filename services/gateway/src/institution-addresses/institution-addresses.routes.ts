import { t, text, uuid } from '@bursar/contracts/schema'
import { currentRequestId, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { admins, readers } from '../access/rules'
import type { Act } from '../audit-trail/act'
import { failureOf } from '../audit-trail/audit'
import { requireRole, sessionActor } from '../audit-trail/session-actor'
import { requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { addressesOf, putAddresses } from './institution-addresses'

const ById = t.Object({ id: uuid() })
const Addresses = t.Object(
  { addresses: t.Array(text(49), { maxItems: 200 }) },
  { title: 'InstitutionAddresses', additionalProperties: false },
)

/** Where an institution may come from: staff reads it, an administrator sets it, and the audit trail has it. */
export function institutionAddressRoutes(deps: GatewayDeps) {
  const { store, audit, now } = deps
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
      async ({ request, params, body: { addresses } }) => {
        const actor = await sessionActor(deps, request)
        const participantId = params.id.toLowerCase()
        const act: Act = {
          actor,
          service: 'gateway',
          action: 'PUT /console/api/institutions/:id/addresses',
          object: participantId,
          requestId: currentRequestId() ?? '',
          request: { params: { id: participantId }, body: { addresses } },
        }
        try {
          requireRole(actor, admins)
        } catch (error) {
          await audit.note(act, failureOf(error))
          throw error
        }
        const change = { participantId, addresses, changedBy: actor.id, changedAt: now() }
        const carryOut = async () => {
          await store.commit((tx) => putAddresses(tx, change))
          deps.institutionAddresses.forget(participantId)
          return { addresses }
        }
        return await audit.record(act, await listOf(participantId), carryOut, async (after) => ({ status: 200, after }))
      },
      { params: ById, body: Addresses, response: { 200: response(Addresses) } },
    )
}
