import { BankAccountChanged, PfiChanged } from '@bursar/contracts/main-api'
import { type Consumer, receiving } from '@bursar/http'
import type { Store } from '@bursar/store'
import { bankAccountReplicas, pfiReplicas } from './banks'

/** Keeps the replicas of participants and their bank accounts up to date. */
export const bankConsumers = (store: Store): Consumer[] => [
  receiving(store, PfiChanged, (tx, state) => pfiReplicas.replica.upsert(tx, pfiReplicas.toRow(state, state))),
  receiving(store, BankAccountChanged, (tx, state) =>
    bankAccountReplicas.replica.upsert(tx, bankAccountReplicas.toRow(state, state)),
  ),
]
