import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { AddressToScreen, ScreenedAddress } from '@bursar/contracts/sanctions'
import { requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { SanctionsDeps } from '../deps'
import { screenLocally } from './screen-locally'

/** For the core ledger, before a signature (contracts/sanctions.ts). */
export const internalAddressRoutes = ({ store, identity, config, now }: SanctionsDeps) =>
  new Elysia({ prefix: '/internal/addresses', detail: { hide: true } }).post(
    '/screen',
    async ({ request, body }) => {
      await requireService(identity, request, ['core-ledger'])
      return { items: await screenLocally(store.read, body.items, { sandbox: config.sandbox, now: now() }) }
    },
    { body: batchOf(AddressToScreen), response: { 200: response(batchAnswer(ScreenedAddress)) } },
  )
