import { PfiChanged } from '@bursar/contracts/main-api'
import { ParticipantDeleted } from '@bursar/contracts/participant'
import { type Consumer, consumer, followPeer, reconcile } from '@bursar/http'
import { type Loop, receive } from '@bursar/store'
import type { WebhookDeps } from '../deps'
import { endedTargets, endWaiting, participantReplicas, pfiReplicas } from './institutions'

/** Learn at once that an institution was offboarded or deleted. */
export const institutionConsumers = ({ store, now, wakes }: WebhookDeps): Consumer[] => [
  consumer(PfiChanged, async (envelope) => {
    await receive(store, envelope, async (tx) => {
      await pfiReplicas.replica.upsert(tx, pfiReplicas.toRow(envelope.data, envelope.data))
      await endWaiting(tx, now())
    })
    wakes.wake()
  }),
  consumer(ParticipantDeleted, async (envelope) => {
    await receive(store, envelope, async (tx) => {
      await participantReplicas.replica.upsert(tx, participantReplicas.toRow(envelope.data, envelope.data))
      await endWaiting(tx, now())
    })
    wakes.wake()
  }),
]

/** It holds within 5 seconds, also where an event is lost. */
const everyMs = 3000

/** Put the replicas right by their owners; each for itself, so that one that is away does not hide the other's word. */
export const institutionWorkers = (deps: WebhookDeps): Loop[] => [
  followPeer(deps, 'The reconciliation of pfi replicas', () => pull(deps, reconcile(deps, pfiReplicas)), everyMs),
  followPeer(
    deps,
    'The reconciliation of participant replicas',
    () => pull(deps, reconcile(deps, participantReplicas)),
    everyMs,
  ),
]

async function pull({ store, now, wakes }: WebhookDeps, pulled: Promise<unknown>): Promise<void> {
  await pulled
  if ((await endedTargets(store.read)).length === 0) return
  await store.commit((tx) => endWaiting(tx, now()))
  wakes.wake()
}
