import { readCall } from '@bursar/contracts/call'
import { t } from '@bursar/contracts/schema'
import { ifCallFails } from '@bursar/http'
import type { ConsoleUser } from '../access/authenticate'
import { fieldsOf } from '../access/read-answer'
import type { GatewayDeps } from '../deps'
import { fail } from '../errors'
import type { Target } from '../front/target'

/** How long a verified code is fresh. */
const freshMs = 5 * 60_000

/** The part of a request that identifies the decision. */
interface Decision {
  target: Target
  method: string
  body: Uint8Array | null
}

/** Tells whether a decision is large; fails as the called service does. */
type Question = (client: GatewayDeps['client'], fourEyesUsd: number) => Promise<boolean>

/**
 * Refuses (403) a decision that needs two persons, or on a payment of that size, unless its user has just verified its
 * second factor: a stolen session cannot move large sums. In a sandbox only users with a second factor are checked.
 */
export async function requireStepUp(
  { client, config, now }: Pick<GatewayDeps, 'client' | 'config' | 'now'>,
  { verifiedAt }: ConsoleUser,
  decision: Decision,
): Promise<void> {
  if (config.fourEyesUsd === null) return
  const isLarge = ofTransaction(decision) ?? ofMovement(decision) ?? ofPayment(decision)
  if (isLarge === null) return
  if (verifiedAt === null && config.environment !== 'production') return
  const ageMs = verifiedAt === null ? Number.POSITIVE_INFINITY : now().getTime() - verifiedAt.getTime()
  if (ageMs >= 0 && ageMs < freshMs) return
  // An unknown size counts as large.
  const needed = await ifCallFails(isLarge(client, config.fourEyesUsd), () => true)
  if (needed) throw fail('SECOND_FACTOR_NEEDED')
}

const getReviewTerms = readCall(
  'core-ledger',
  'GET',
  '/v1/transactions/:id/review',
  t.Object({ required: t.Integer() }),
)

/** Whether the ledger requires two persons. The service itself refuses unknown ids. */
function ofTransaction({ target, method }: Decision): Question | null {
  const [, id] = target.service === 'core-ledger' && method === 'POST' ? (reviewed.exec(target.path) ?? []) : []
  if (id === undefined) return null
  return async (client) => ((await client.find(getReviewTerms, { params: { id } }))?.required ?? 0) > 1
}
const reviewed =
  /\/transactions\/([^/]+)\/(?:(?:approve|reject)-frozen-(?:deposit|withdrawal)|fail|release|return|cover)$/

/** Always: nothing tells what a movement is worth. */
const ofMovement = ({ target, method }: Decision): Question | null =>
  target.service === 'core-ledger' && method === 'POST' && coveredMovement.test(target.path) ? async () => true : null
const coveredMovement = /\/balances\/account\/[^/]+\/movements\/cover$/

const Payment = t.Object({ amount: t.String({ pattern: '^\\d+(\\.\\d+)?$' }), currency: t.String() })
const getPayment = readCall('transaction-manager', 'GET', '/v1/transactions/:id', t.Object({ data: Payment }))
const listPayments = readCall('transaction-manager', 'GET', '/v1/transactions', t.Object({ data: t.Array(Payment) }))

/** Whether a payment between banks is that large; always for other currencies, whose value is unknown. */
function ofPayment({ target, method, body }: Decision): Question | null {
  const isMove = target.service === 'transaction-manager' && method === 'PUT'
  const [, kind, name] = isMove ? (moved.exec(target.path) ?? []) : []
  if (name === undefined || fieldsOf(body).status === 'IN_REVIEW') return null
  const hasReference = kind === 'deposit' || kind === 'do-deposit'
  return async (client, fourEyesUsd) => {
    const found = hasReference
      ? (await client.call(listPayments, { query: { reference: decodeURIComponent(name) } })).data
      : [(await client.find(getPayment, { params: { id: name } }))?.data].flatMap((payment) => payment ?? [])
    return found.some(({ amount, currency }) => currency !== 'USD' || BigInt(amount.split('.')[0] ?? '') >= fourEyesUsd)
  }
}
const moved = /^\/(deposit|do-deposit|withdrawal|transfer)\/([^/]+)(?:\/review)?$/
