import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { AddressToScreen, ScreenedAddress } from '@bursar/contracts/sanctions'
import { internalRoutes, response } from '@bursar/http'
import type { SanctionsDeps } from '../deps'
import { screenLocally } from './screen-locally'

/** For the core ledger, before a signature (contracts/sanctions.ts). */
export const internalAddressRoutes = ({ store, identity, config, now }: SanctionsDeps) =>
  internalRoutes(identity, '/internal/addresses', ['core-ledger']).post(
    '/screen',
    async ({ body }) => ({
      items: await screenLocally(store.read, body.items, { sandbox: config.sandbox, now: now() }),
    }),
    { body: batchOf(AddressToScreen), response: { 200: response(batchAnswer(ScreenedAddress)) } },
  )
