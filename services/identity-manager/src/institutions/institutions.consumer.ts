import { PfiChanged } from '@bursar/contracts/main-api'
import { ParticipantDeleted } from '@bursar/contracts/participant'
import { type Consumer, receiving } from '@bursar/http'
import type { Store } from '@bursar/store'
import { participantReplicas, pfiReplicas } from './institutions'

/** Learns at once that an institution was offboarded or deleted. */
export const institutionConsumers = (store: Store): Consumer[] => [
  receiving(store, PfiChanged, (tx, state) => pfiReplicas.replica.upsert(tx, pfiReplicas.toRow(state, state))),
  receiving(store, ParticipantDeleted, (tx, state) =>
    participantReplicas.replica.upsert(tx, participantReplicas.toRow(state, state)),
  ),
]
