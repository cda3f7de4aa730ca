// What the tests of orders and executions share: a ledger with the owners of its accounts, and an asset by its contract.
import { afterAll, beforeAll } from 'bun:test'
import { type Ledger, openLedger } from './harness'
import { type Owners, testOwners } from './owners'
import { makeAsset } from './steps'

export const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export let owners: Owners
export let ledger: Ledger
export let assetId: string

/** All tests of the file have these together. */
export function withOwners(): void {
  beforeAll(async () => {
    owners = testOwners()
    ledger = await openLedger({ owners })
    assetId = await makeAsset(ledger, { address: contract })
  })
  afterAll(async () => {
    await ledger.close()
    await owners.stop()
  })
}
