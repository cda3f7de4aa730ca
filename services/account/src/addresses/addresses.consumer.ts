import { WalletCreated } from '@bursar/contracts/wallet'
import { type Consumer, receiving } from '@bursar/http'
import type { Store } from '@bursar/store'
import { keepAddress } from './addresses'

/** Stores addresses for the search as soon as their wallets exist. */
export const addressConsumers = (store: Store): Consumer[] => [receiving(store, WalletCreated, keepAddress)]
