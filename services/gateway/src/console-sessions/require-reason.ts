import { fieldsOf } from '../access/read-answer'
import { fail } from '../errors'
import type { Target } from '../front/target'

/** Negative decisions, and the field of their reason. */
interface Decision {
  readonly service: Target['service']
  readonly method: 'POST' | 'PUT'
  readonly path: RegExp
  readonly field: string
  /** The values of `status` in the body that are such a decision; any body by default. */
  readonly statuses?: readonly string[]
}

const inactive = ['suspended', 'inactive', 'deleted']
const decisions: readonly Decision[] = [
  {
    service: 'core-ledger',
    method: 'POST',
    path: /\/transactions\/[^/]+\/(reject-frozen-(deposit|withdrawal)|fail)$/,
    field: 'reason',
  },
  {
    service: 'transaction-manager',
    method: 'PUT',
    path: /^\/(deposit|do-deposit|withdrawal|transfer)\/[^/]+(\/review)?$/,
    field: 'comment',
    statuses: ['REJECTED', 'CANCELLED', 'FAILED'],
  },
  { service: 'transaction-manager', method: 'POST', path: /^\/transfer\/cancel$/, field: 'comment' },
  {
    service: 'main-api',
    method: 'PUT',
    path: /^\/admin\/pfi\/[^/]+\/status$/,
    field: 'comments',
    statuses: ['REJECTED', 'PAUSED', 'OFFBOARDED'],
  },
  { service: 'account', method: 'PUT', path: /^\/accounts\/[^/]+$/, field: 'statusReason', statuses: inactive },
  { service: 'customer', method: 'PUT', path: /^\/customers\/[^/]+$/, field: 'statusReason', statuses: inactive },
]

/** Refuses (400) a rejection without a reason, which the history must contain. */
export function requireReason(target: Target, method: string, body: Uint8Array | null): void {
  const decision = decisions.find(
    (each) => each.service === target.service && each.method === method && each.path.test(target.path),
  )
  if (!decision) return
  const fields = fieldsOf(body)
  const { [decision.field]: reason, status } = fields
  const isNegative = decision.statuses?.includes(String(status)) ?? true
  if (!isNegative || (typeof reason === 'string' && reason.trim() !== '')) return
  const message = `${decision.field} must say why`
  throw fail('INVALID_REQUEST', { message, fields: [{ field: decision.field, message }] })
}
