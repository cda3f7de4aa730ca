import { type Consumer, type InstitutionFollower, institutionConsumers, institutionWorkers } from '@bursar/http'
import type { Loop } from '@bursar/store'
import type { WebhookDeps } from '../deps'
import { endedTargets, endWaiting, institutions } from './institutions'

/** Ends the waiting deliveries of an institution that was offboarded or deleted. */
const follower = ({ now, queue, wakes }: WebhookDeps): InstitutionFollower => ({
  apply: (tx) => endWaiting(tx, { queue, now: now() }),
  isDue: async (db) => (await endedTargets(db)).length > 0,
  wake: () => wakes.wake(),
})

export const endedConsumers = (deps: WebhookDeps): Consumer[] =>
  institutionConsumers(deps.store, institutions, follower(deps))

export const endedWorkers = (deps: WebhookDeps): Loop[] => institutionWorkers(deps, institutions, follower(deps))
