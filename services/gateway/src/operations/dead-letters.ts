import { type DeadLetterRetry, type DeadLetters, listDeadLetters, retryDeadLetter } from '@bursar/contracts/operations'
import type { ServiceName } from '@bursar/contracts/services'
import { type CallError, ifCallFails, isRefused, toAppError } from '@bursar/http'
import { operators } from '../access/rules'
import { recordSessionAct } from '../audit-trail/session-act'
import type { CountingDeps } from '../console-sessions/require-session'
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
  deps: Deps & CountingDeps,
  request: Request,
  { service, id }: { service: ServiceName; id: string },
): Promise<DeadLetterRetry> {
  const { client, operations } = deps
  const retry = () =>
    service === 'gateway' ? operations.retry(id) : client.call(retryDeadLetter(service), { params: { id } })
  return await recordSessionAct(deps, request, {
    allowed: operators,
    service,
    action: 'POST /console/api/services/:name/dead-letters/:id/retry',
    object: id,
    request: { params: { name: service, id } },
    carryOut: () => ifCallFails(retry(), toMissing),
    outcomeOf: (answer) => ({ answer }),
  })
}

function toMissing(error: CallError): never {
  throw isRefused(error, 404) ? fail('NOT_FOUND', { message: missing }) : toAppError(error)
}

const missing = 'There is no such dead letter; it may have been handled since'
