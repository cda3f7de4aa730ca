import { WalletCreated } from '@bursar/contracts/wallet'
import { type Consumer, receiving } from '@bursar/http'
import type { Store } from '@bursar/store'
import { addAddresses, newAddresses } from './addresses'

/** Keeps the addresses of accounts for the search, as soon as their wallets are there. */
export const addressConsumers = (store: Store): Consumer[] => [
  receiving(store, WalletCreated, async (tx, { accountId, address }) =>
    addAddresses(tx, accountId, await newAddresses(tx, accountId, [address])),
  ),
]
