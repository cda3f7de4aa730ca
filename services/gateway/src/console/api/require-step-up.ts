import { readCall } from '@bursar/contracts/call'
import { t } from '@bursar/contracts/schema'
import { CallError } from '@bursar/http'
import type { GatewayDeps } from '../../deps'
import { fail } from '../../errors'
import type { ConsoleUser } from '../../proxy/console-user'
import type { Target } from '../../routing/target'

/** How long a code counts as fresh. */
const freshMs = 5 * 60_000

const decision = /\/transactions\/([^/]+)\/(?:(?:approve|reject)-frozen-(?:deposit|withdrawal)|fail|release|return)$/

const getReviewTerms = readCall(
  'core-ledger',
  'GET',
  '/v1/transactions/:id/review',
  t.Object({ required: t.Integer() }),
)

/**
 * Refuses (403) a decision on what takes two persons unless its user has shown its second factor a moment ago: a session
 * in the wrong hands moves no large sums. In a sandbox only users that have one are asked.
 */
export async function requireStepUp(
  { client, config, sessionDeps }: Pick<GatewayDeps, 'client' | 'config' | 'sessionDeps'>,
  { verifiedAt }: ConsoleUser,
  target: Target,
  method: string,
): Promise<void> {
  const [, id] = target.service === 'core-ledger' && method === 'POST' ? (decision.exec(target.path) ?? []) : []
  if (id === undefined || config.fourEyesUsd === null) return
  if (verifiedAt === null && config.environment !== 'production') return
  const ageMs = verifiedAt === null ? Number.POSITIVE_INFINITY : sessionDeps.now() - verifiedAt.getTime()
  if (ageMs >= 0 && ageMs < freshMs) return
  if (await takesTwo(client, id)) throw fail('SECOND_FACTOR_NEEDED')
}

/** What is not there is refused by the ledger; what it does not tell counts as much. */
async function takesTwo(client: GatewayDeps['client'], id: string): Promise<boolean> {
  try {
    const terms = await client.find(getReviewTerms, { params: { id } })
    return terms !== null && terms.required > 1
  } catch (error) {
    if (error instanceof CallError) return true
    throw error
  }
}
