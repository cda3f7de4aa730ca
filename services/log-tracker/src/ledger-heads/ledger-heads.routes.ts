import { LedgerHead } from '@bursar/contracts/ledger-seals'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { TrackerDeps } from '../deps'
import { newestHead, toLedgerHead } from './ledger-heads'

/** For the ledger, which compares its journal with its earlier seals. */
export const ledgerHeadRoutes = ({ store, identity }: Pick<TrackerDeps, 'store' | 'identity'>) =>
  new Elysia({ prefix: '/internal/ledger-heads', detail: { hide: true } }).get(
    '/newest',
    async ({ request }) => {
      await requireService(identity, request)
      return toLedgerHead(await newestHead(store.read))
    },
    { response: { 200: response(LedgerHead) } },
  )
