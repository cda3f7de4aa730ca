import { type DeadLetterRetry, type DeadLetters, listDeadLetters, retryDeadLetter } from '@bursar/contracts/operations'
import type { ServiceName } from '@bursar/contracts/services'
import { type CallError, ifCallFails, isRefused, toAppError } from '@bursar/http'
import { operators } from '../access/rules'
import type { Act } from '../audit-trail/act'
import { failureOf } from '../audit-trail/audit'
import { requireRole } from '../audit-trail/session-actor'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'

type Deps = Pick<GatewayDeps, 'client' | 'operations' | 'audit'>

const mostBytes = 4 * 1024 * 1024

/** The dead letters of a service. Rejects with CallError when it is unreachable. */
export const deadLettersOf = ({ client, operations }: Deps, service: ServiceName): Promise<DeadLetters> =>
  service === 'gateway' ? operations.deadLetters() : client.call(listDeadLetters(service), { mostBytes })

/**
 * Has a service retry one of its dead letters, recorded in the audit trail. Fails: 403 for a caller that is not an
 * operator, 404 when there is none.
 */
export async function retryLetter(
  { client, operations, audit }: Deps,
  { service, id, ...by }: Pick<Act, 'actor' | 'requestId'> & { service: ServiceName; id: string },
): Promise<DeadLetterRetry> {
  const action = 'POST /console/api/services/:name/dead-letters/:id/retry'
  const act: Act = { ...by, service, action, object: id, request: { params: { name: service, id } } }
  try {
    requireRole(by.actor, operators)
  } catch (error) {
    await audit.note(act, failureOf(error))
    throw error
  }
  const retry = () =>
    service === 'gateway' ? operations.retry(id) : client.call(retryDeadLetter(service), { params: { id } })
  const carryOut = () => ifCallFails(retry(), toMissing)
  return await audit.record(act, undefined, carryOut, async (answer) => ({ status: 200, answer }))
}

function toMissing(error: CallError): never {
  throw isRefused(error, 404) ? fail('NOT_FOUND', { message: missing }) : toAppError(error)
}

const missing = 'There is no such dead letter; it may have been handled since'
