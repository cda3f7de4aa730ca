import { foldedId, parseIsoTime } from '@bursar/contracts/schema'
import { idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { WebhookDeps } from '../deps'
import { fail } from '../errors'
import { hasEnded } from '../institutions/institutions'
import { isIn, scopeOf } from '../scope'
import { getDelivery, toDelivery } from './deliveries'
import { ByDeliveryId, Delivery, Replayed, ReplayFailed } from './deliveries.model'
import { type FailedFilter, replay, replaySome } from './replay'

/** The most that one request replays. */
const most = 10_000

/**
 * Replays what failed at a time or later, in several commits, the oldest first. What nobody takes stays failed. `more` is
 * true when others may be left.
 */
export async function replayFailed(
  { store, schedule: { maxRetries }, queue, now }: WebhookDeps,
  filter: FailedFilter,
): Promise<{ count: number; more: boolean }> {
  let count = 0
  let after: string | null = ''
  while (after !== null && count < most) {
    const from: string = after
    const some = await store.commit((tx) => replaySome(tx, filter, from, { maxRetries, queue, now: now() }))
    count += some.count
    after = some.after
  }
  return { count, more: after !== null }
}

/** Not in the specification: sending deliveries again. */
export function replayRoutes(deps: WebhookDeps) {
  const { store, identity, schedule, queue, wakes, now } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/webhooks/delivery', tags: ['Deliveries'] })
    .post(
      '/:deliveryId/replay',
      ({ request, set, params }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(identity, request)
          const answer = await store.commit(async (tx) => {
            const row = await getDelivery(tx, params.deliveryId, scope)
            const replayed = await replay(tx, row, schedule.maxRetries, { queue, now: now() })
            if (!replayed) throw fail((await hasEnded(tx, row.participantId)) ? 'INSTITUTION_ENDED' : 'NO_ENDPOINT')
            return await reply(tx, 200, toDelivery(replayed, scope))
          })
          wakes.wake()
          return answer
        }),
      {
        params: ByDeliveryId,
        response: { 200: response(Delivery) },
        detail: operation('replayDelivery', 'Send a delivery again', {
          description: 'With the same webhook-id. A delivered one is sent again, a pending one at once.',
          409: 'No enabled endpoint subscribes to it, its institution was offboarded or deleted, or a request with this Idempotency-Key is under way',
        }),
      },
    )
    .post(
      '/replay-failed',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          const scope = await scopeOf(identity, request)
          const participantId = body.participantId === undefined ? (scope ?? undefined) : foldedId(body.participantId)
          const isOwn = participantId === undefined || isIn(scope, { participantId })
          if (!isOwn) throw fail('PARTICIPANT_NOT_FOUND')
          const since = parseIsoTime(body.since)
          const replayed = await replayFailed(deps, {
            since,
            endpointId: body.endpointId?.toLowerCase(),
            participantId,
          })
          wakes.wake()
          return await store.commit((tx) => reply(tx, 200, replayed))
        }),
      {
        body: ReplayFailed,
        response: { 200: response(Replayed) },
        detail: operation('replayFailedDeliveries', 'Send all failed deliveries again, from a time on', {
          description:
            'At most 10,000: repeat it while `more` is true. Deliveries without an enabled endpoint stay failed.',
          404: 'The participant is not the caller’s own',
        }),
      },
    )
}
