import { ExecutionChanged } from '@bursar/contracts/wallet'
import { type Consumer, receiving } from '@bursar/http'
import type { LedgerDeps } from '../deps'
import { noteState } from './end-execution'

/** Follow authorised executions to their end. */
export const executionConsumers = ({ store, now }: Pick<LedgerDeps, 'store' | 'now'>): Consumer[] => [
  receiving(store, ExecutionChanged, (tx, state) => noteState(tx, state, now())),
]
