import { t } from '@bursar/contracts/schema'
import { createSingleFlight, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { AuditAct, AuditActDetail, AuditCheck, AuditQuery } from './audit.model'
import { findAct, listActs } from './list-acts'
import { verifyTrail } from './trail'

/** The audit trail, for staff. Who may read it is decided before (console). */
export function auditRoutes({ store }: Pick<GatewayDeps, 'store'>) {
  const once = createSingleFlight<typeof AuditCheck.static>()
  const verify = async () => ({ ...(await verifyTrail(store)), checkedAt: new Date().toISOString() })
  return new Elysia({ prefix: '/audit', detail: { hide: true } })
    .get('/', ({ query: { after, limit, ...filters } }) => firstOf(listActs(store.read, filters, { after, limit })), {
      query: AuditQuery,
      response: { 200: response(t.Array(AuditAct)) },
    })
    .get('/verify', () => once('all', verify), { response: { 200: response(AuditCheck) } })
    .get(
      '/:id',
      async ({ params }) => {
        const act = await findAct(store.read, params.id.toLowerCase())
        if (!act) throw fail('NOT_FOUND', { message: 'There is no such act in the audit trail' })
        return act
      },
      { params: t.Object({ id: t.String() }), response: { 200: response(AuditActDetail) } },
    )
}

/** A page is one chunk. */
async function firstOf<T>(chunks: AsyncGenerator<T[]>): Promise<T[]> {
  const { value } = await chunks.next()
  return value ?? []
}
