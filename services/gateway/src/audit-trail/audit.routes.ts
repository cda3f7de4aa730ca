import { t } from '@bursar/contracts/schema'
import { type CsvColumns, csvResponse, fieldColumns, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { readers } from '../access/rules'
import { requireCounted } from '../console-sessions/require-session'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import { AuditAct, AuditActDetail, AuditCheck, AuditExportQuery, AuditQuery } from './audit.model'
import { findAct, listActs } from './list-acts'

const name = 'audit-trail'
const columns: CsvColumns<AuditAct> = {
  ...fieldColumns<AuditAct>('id', 'at', 'door', 'actor'),
  roles: ({ roles }) => roles.join(' '),
  ...fieldColumns<AuditAct>(
    'session',
    'address',
    'service',
    'action',
    'object',
    'status',
    'answeredAt',
    'requestId',
    'newStatus',
  ),
}

const missing = () => fail('NOT_FOUND', { message: 'There is no such act in the audit trail' })

/** The audit trail, for staff. */
export function auditRoutes(deps: GatewayDeps) {
  const { store, log, trailCheck } = deps
  return new Elysia({ prefix: '/console/api/audit', detail: { hide: true } })
    .onBeforeHandle(async ({ request }) => {
      await requireCounted(deps, request, readers)
    })
    .get('/', ({ query: { after, limit, ...filters } }) => firstOf(listActs(store.read, filters, { after, limit })), {
      query: AuditQuery,
      response: { 200: response(t.Array(AuditAct)) },
    })
    .get('/export', ({ query }) => csvResponse({ name, columns, chunks: listActs(store.read, query), log }), {
      query: AuditExportQuery,
    })
    .get('/verify', () => trailCheck.goOn(), { response: { 200: response(AuditCheck) } })
    .get(
      '/:id',
      async ({ params }) => {
        const act = await findAct(store.read, params.id.toLowerCase())
        if (!act) throw missing()
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
