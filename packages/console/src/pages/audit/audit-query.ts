import { request } from '../../api/http'
import { useRequest } from '../../api/read'

/** An act of administration (GET /console/api/audit). */
export interface AuditAct {
  id: string
  at: string
  /** `start`: recorded at a start of the gateway. */
  door: 'console' | 'api' | 'start' | 'command'
  actor: string
  roles: readonly string[]
  session: string | null
  address: string
  service: string
  action: string
  object: string | null
  /** The status that its body asked for. */
  newStatus: string | null
  requestId: string
  status: number | null
  answeredAt: string | null
}

/** The same with its request and its changes. */
export interface AuditActDetail extends AuditAct {
  request?: { params?: unknown; query?: unknown; body?: unknown }
  before?: unknown
  after?: unknown
  answer?: unknown
  problem?: string
  isRepeat?: boolean
  rows: readonly { number: number; hash: string }[]
}

export interface AuditCheck {
  intact: boolean
  /** False while a long trail is not checked to its end yet. */
  isComplete: boolean
  rows: number
  head: { number: number; hash: string }
  problem: string | null
  unanswered: number
  checkedAt: string
}

type AuditFilters = Partial<Record<'actor' | 'action' | 'object' | 'from' | 'to', string>>

export async function auditPage(filters: AuditFilters, after: string | undefined, limit: number, signal: AbortSignal) {
  const rows = await request<AuditAct[]>('/audit', { query: { ...filters, after, limit }, signal })
  return { rows, total: null }
}

export const useAct = (id: string) => useRequest<AuditActDetail>(['audit', 'act', id], `/audit/${id}`)

export const useCheck = () => useRequest<AuditCheck>(['audit', 'check'], '/audit/verify', { staleTime: 60_000 })
