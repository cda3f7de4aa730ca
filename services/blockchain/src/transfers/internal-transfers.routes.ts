import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { depositChanges, KnownTransfer, WatchedAddress } from '@bursar/contracts/blockchain'
import { t, text } from '@bursar/contracts/schema'
import { answerEach, ChangesQuery, internalRoutes, response } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { requireAddress } from '../networks/comparable'
import { watch } from '../watching/watched'
import { knownTransfers } from './known-transfers'
import { depositRecords, toDeposit } from './transfers'

/** The addresses to watch, which the wallet service tells (contracts/blockchain.ts). */
export const watchRoutes = ({ identity, networks, store, wakes, clock }: BlockchainDeps) =>
  internalRoutes(identity, '/internal/addresses', ['wallet']).post(
    '/',
    async ({ body }) => {
      const chain = await networks.open(body.network)
      const network = chain.settings.name
      const address = requireAddress(chain, 'address', body.address)
      const { accountId, isPortfolio } = body
      const row = await store.commit((tx) => watch(tx, { network, address, accountId, isPortfolio }, clock()))
      wakes.wake('transfers', network)
      return { network, address: row.address, accountId: row.accountId, isPortfolio: row.isPortfolio }
    },
    { body: WatchedAddress, response: { 200: response(WatchedAddress) } },
  )

/** What came to watched addresses. */
export const internalTransferRoutes = ({ identity, networks, store }: BlockchainDeps) =>
  internalRoutes(identity, '/internal')
    .post(
      '/transfers/known',
      ({ body }) =>
        answerEach(
          body.items,
          ({ txHash }) => txHash,
          (asked) => knownTransfers(store.read, networks, asked),
        ),
      {
        body: batchOf(t.Object({ network: text(128), txHash: text(128) })),
        response: { 200: response(batchAnswer(t.Array(KnownTransfer))) },
      },
    )
    .get('/deposits/changes', ({ query }) => depositRecords.pageAfter(store, query.after, toDeposit), {
      query: ChangesQuery,
      response: { 200: response(depositChanges.answer) },
    })
