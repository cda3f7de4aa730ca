import { exampleApiKey } from '@bursar/contracts/examples'
import {
  authenticatedParticipant,
  type Caller,
  forParticipant,
  idempotent,
  operation,
  requireMayCreate,
  response,
  totalHeader,
  totalText,
} from '@bursar/http'
import { Elysia } from 'elysia'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { allWallets, walletList } from './all-wallets'
import { listWallets } from './list-wallets'
import { createWalletAccount, toWalletAccount } from './wallet-accounts'
import { findWallet, keepWallet, planWallet, requireNetworkName, toWallet } from './wallets'
import { ByAccountAndNetwork, Wallet, WalletAccount, WalletList, WalletQuery, WalletsQuery } from './wallets.model'

/** Spec 3, Endpoints, Wallet service. */
export function walletRoutes(deps: WalletDeps) {
  const { store } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/wallets', tags: ['Wallets'] })
    .get(
      '/',
      async ({ request, query, set }) => {
        const isOfAll = Object.keys(query).length > 0 && isStaff(await deps.identity.read(request))
        if (!isOfAll) {
          return await listWallets(deps, await authenticatedParticipant(deps, request))
        }
        if (query.count) set.headers[totalHeader] = totalText(await walletList.count(store.read, query))
        return await allWallets(deps, query)
      },
      {
        query: WalletsQuery,
        response: { 200: response(WalletList) },
        detail: operation(
          'listWallets',
          'List the wallets of the authenticated participant; for staff those of all participants, by filters',
          {
            ...forParticipant(exampleApiKey),
            description:
              'The parameters are for staff, who must give at least one of them; a participant gets all of its wallets.',
            401: 'No participant is found in the request',
            500: 'The wallets could not be retrieved',
            503: 'The API key cannot be looked up: the participant service is unavailable',
          },
        ),
      },
    )
    .post(
      '/accounts',
      ({ request, set }) =>
        once({ request, set }, (reply) =>
          store.commit(async (tx) => reply(tx, 201, toWalletAccount(await createWalletAccount(tx, deps.clock())))),
        ),
      {
        response: { 201: response(WalletAccount) },
        detail: operation('createWalletAccount', 'Create a wallet account, for the walletAccountId of a new account'),
      },
    )
    .get(
      '/account/:accountId/network/:network',
      async ({ request, params, query }) => {
        const network = requireNetworkName(params.network)
        const wallet = await findWallet(store.read, params.accountId, network)
        if (wallet) return toWallet(wallet)
        if (query.createIfNotExists) {
          await requireMayCreate(deps.identity, request)
          const planned = await planWallet(deps, params.accountId, network)
          return await store.commit(async (tx) => toWallet(await keepWallet(tx, planned)))
        }
        throw fail('NOT_FOUND')
      },
      {
        params: ByAccountAndNetwork,
        query: WalletQuery,
        response: { 200: response(Wallet) },
        detail: operation('getWallet', 'Get the wallet of an account on a network, or create it', {
          403: 'It would be created, and the participant is paused',
          404: 'The account has no wallet on this network, or there is no such account',
          409: 'The account’s walletAccountId belongs to another account',
          422: 'The network is not available',
          503: 'The account is unknown here, and the account service is unavailable',
        }),
      },
    )
}

const staff = ['admin', 'operator', 'viewer']

/** A user of the administration, according to the gateway. */
const isStaff = (caller: Caller | null): boolean =>
  caller?.kind === 'user' && caller.participantId === null && caller.roles.some((role) => staff.includes(role))
