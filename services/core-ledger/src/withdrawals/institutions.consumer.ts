import { type Consumer, type InstitutionFollower, institutionConsumers, institutionWorkers } from '@bursar/http'
import type { Loop } from '@bursar/store'
import { heldChanges, institutions } from '../accounts/institutions'
import type { LedgerDeps } from '../deps'
import { keepHeld } from './keep-held'

type Deps = Pick<LedgerDeps, 'store' | 'client' | 'log' | 'now' | 'execution'>

/** Transactions that wait for an institution continue when it is active again. */
const follower = ({ now, execution }: Deps): InstitutionFollower => ({
  apply: (tx) => keepHeld(tx, now()),
  isDue: async (db) => (await heldChanges(db)).length > 0,
  wake: () => execution.wake(),
})

export const heldConsumers = (deps: Deps): Consumer[] => institutionConsumers(deps.store, institutions, follower(deps))

export const heldWorkers = (deps: Deps): Loop[] => institutionWorkers(deps, institutions, follower(deps))
