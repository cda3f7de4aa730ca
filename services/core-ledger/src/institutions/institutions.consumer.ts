import { PfiChanged } from '@bursar/contracts/main-api'
import { ParticipantDeleted } from '@bursar/contracts/participant'
import { type Consumer, consumer, followPeer, reconcile } from '@bursar/http'
import { type Loop, receive } from '@bursar/store'
import type { LedgerDeps } from '../deps'
import { heldChanges, participantReplicas, pfiReplicas } from './institutions'
import { keepHeld } from './keep-held'

type Deps = Pick<LedgerDeps, 'store' | 'client' | 'log' | 'now' | 'execution'>

/** Learn at once that an institution was paused, offboarded or deleted, or is active again. */
export const institutionConsumers = ({ store, now, execution }: Deps): Consumer[] => [
  consumer(PfiChanged, async (envelope) => {
    await receive(store, envelope, async (tx) => {
      await pfiReplicas.replica.upsert(tx, pfiReplicas.toRow(envelope.data, envelope.data))
      await keepHeld(tx, now())
    })
    execution.wake()
  }),
  consumer(ParticipantDeleted, async (envelope) => {
    await receive(store, envelope, async (tx) => {
      await participantReplicas.replica.upsert(tx, participantReplicas.toRow(envelope.data, envelope.data))
      await keepHeld(tx, now())
    })
  }),
]

/** It holds within 5 seconds, also where an event is lost. */
const everyMs = 3000

/** Put the replicas right by their owners; each for itself, so that one that is away does not hide the other's word. */
export const institutionWorkers = (deps: Deps): Loop[] => [
  followPeer(deps, 'The reconciliation of pfi replicas', () => pull(deps, reconcile(deps, pfiReplicas)), everyMs),
  followPeer(
    deps,
    'The reconciliation of participant replicas',
    () => pull(deps, reconcile(deps, participantReplicas)),
    everyMs,
  ),
]

async function pull({ store, now, execution }: Deps, pulled: Promise<unknown>): Promise<void> {
  await pulled
  if ((await heldChanges(store.read)).length === 0) return
  await store.commit((tx) => keepHeld(tx, now()))
  execution.wake()
}
