import { BankAccountChanged, PfiChanged } from '@bursar/contracts/main-api'
import { ParticipantDeleted } from '@bursar/contracts/participant'
import { type Consumer, type Deps, followPeer, receiving, reconcile, reconciling } from '@bursar/http'
import type { Loop, Store } from '@bursar/store'
import { bankAccountReplicas, participantReplicas, pfiReplicas } from './banks'

/** Keeps the replicas of participants and their bank accounts up to date. */
export const bankConsumers = (store: Store): Consumer[] => [
  receiving(store, PfiChanged, (tx, state) => pfiReplicas.replica.upsert(tx, pfiReplicas.toRow(state, state))),
  receiving(store, ParticipantDeleted, (tx, state) =>
    participantReplicas.replica.upsert(tx, participantReplicas.toRow(state, state)),
  ),
  receiving(store, BankAccountChanged, (tx, state) =>
    bankAccountReplicas.replica.upsert(tx, bankAccountReplicas.toRow(state, state)),
  ),
]

/** That an institution is paused or has ended holds within 5 seconds, also where an event is lost. */
const everyMs = 3000

/** Put the replicas right by their owners. */
export const bankWorkers = (deps: Pick<Deps, 'store' | 'client' | 'log'>): Loop[] => [
  followPeer(deps, 'The reconciliation of pfi replicas', () => reconcile(deps, pfiReplicas), everyMs),
  followPeer(deps, 'The reconciliation of participant replicas', () => reconcile(deps, participantReplicas), everyMs),
  reconciling(deps, bankAccountReplicas),
]
