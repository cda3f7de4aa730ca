import { BankAccountChanged } from '@bursar/contracts/main-api'
import {
  type Consumer,
  type Deps,
  institutionConsumers,
  institutionWorkers,
  receiving,
  reconciling,
} from '@bursar/http'
import type { Loop, Store } from '@bursar/store'
import { bankAccountReplicas, participantReplicas, pfiReplicas } from './banks'

const institutions = { pfis: pfiReplicas, participants: participantReplicas }

/** Keeps the replicas of participants and their bank accounts up to date. */
export const bankConsumers = (store: Store): Consumer[] => [
  ...institutionConsumers(store, institutions),
  receiving(store, BankAccountChanged, (tx, state) =>
    bankAccountReplicas.replica.upsert(tx, bankAccountReplicas.toRow(state, state)),
  ),
]

/** Reconcile the replicas with their owners. */
export const bankWorkers = (deps: Pick<Deps, 'store' | 'client' | 'log'>): Loop[] => [
  ...institutionWorkers(deps, institutions),
  reconciling(deps, bankAccountReplicas),
]
