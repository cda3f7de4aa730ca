import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { depositChanges, KnownTransfer, WatchedAddress } from '@bursar/contracts/blockchain'
import { t, text } from '@bursar/contracts/schema'
import { answerEach, queryInteger, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { watch } from '../watching/watched'
import { knownTransfers } from './known-transfers'
import { depositRecords, toDeposit } from './transfers'

/** Called by other services only (contracts/blockchain.ts): watched addresses, and what came to them. */
export const internalTransferRoutes = ({ identity, networks, store, wakes, clock }: BlockchainDeps) =>
  new Elysia({ prefix: '/internal', detail: { hide: true } })
    .post(
      '/addresses',
      async ({ request, body }) => {
        await requireService(identity, request, ['wallet'])
        const chain = await networks.open(body.network)
        const network = chain.settings.name
        const address = chain.address(body.address)
        if (address === null) throw fail('INVALID_REQUEST', { message: `address is not an address of ${network}` })
        const { accountId, isPortfolio } = body
        const row = await store.commit((tx) => watch(tx, { network, address, accountId, isPortfolio }, clock()))
        wakes.wake('transfers', network)
        return { network, address: row.address, accountId: row.accountId, isPortfolio: row.isPortfolio }
      },
      { body: WatchedAddress, response: { 200: response(WatchedAddress) } },
    )
    .post(
      '/transfers/known',
      async ({ request, body }) => {
        await requireService(identity, request)
        return await answerEach(
          body.items,
          ({ txHash }) => txHash,
          (asked) => knownTransfers(store.read, networks, asked),
        )
      },
      {
        body: batchOf(t.Object({ network: text(128), txHash: text(128) })),
        response: { 200: response(batchAnswer(t.Array(KnownTransfer))) },
      },
    )
    .get(
      '/deposits/changes',
      async ({ request, query }) => {
        await requireService(identity, request)
        return await depositRecords.pageAfter(store, query.after, toDeposit)
      },
      {
        query: t.Object({ after: queryInteger({ minimum: 0, default: 0 }) }),
        response: { 200: response(depositChanges.answer) },
      },
    )
