import { ExecutionChanged } from '@bursar/contracts/wallet'
import { type Consumer, receiving } from '@bursar/http'
import type { LedgerDeps } from '../deps'
import { endExecution, noteConfirmed } from './end-execution'

/** Follow the executions that were authorised to their end. */
export const executionConsumers = ({ store, now }: Pick<LedgerDeps, 'store' | 'now'>): Consumer[] => [
  receiving(store, ExecutionChanged, async (tx, { id, status }) => {
    if (status === 'failed') await endExecution(tx, id, now())
    if (status === 'confirmed') await noteConfirmed(tx, id, now())
  }),
]
