import { LedgerHead } from '@bursar/contracts/ledger-seals'
import { internalRoutes, response } from '@bursar/http'
import type { TrackerDeps } from '../deps'
import { newestHead, toLedgerHead } from './ledger-heads'

/** For the ledger, which compares its journal with its earlier seals. */
export const ledgerHeadRoutes = ({ store, identity }: Pick<TrackerDeps, 'store' | 'identity'>) =>
  internalRoutes(identity, '/internal/ledger-heads').get(
    '/newest',
    async () => toLedgerHead(await newestHead(store.read)),
    { response: { 200: response(LedgerHead) } },
  )
