import { comparableCode } from '@bursar/contracts/asset-code'
import { getAccountBalances } from '@bursar/contracts/core-ledger'
import { createRate, ratePatienceMs } from '@bursar/contracts/quote'
import { type Client, ifCallFails, type SingleFlight } from '@bursar/http'
import type { Db } from '@bursar/store'
import Big from 'big.js'
import { getAccount } from '../accounts/accounts'
import { fail } from '../errors'
import type { AccountBalance } from './balances.model'

/** The value of one unit of an asset, and when it was obtained. */
export interface UsdRate {
  rate: number
  at: Date
}

export interface BalanceDeps {
  read: Db
  client: Client
  now: () => Date
  /** Callers that need the rate of the same asset at the same time share one call. */
  rates: SingleFlight<UsdRate>
}

/**
 * An account's holdings and their value in USD: the ledger's balances at the rates that the quote service gives
 * now. Fails when there is no such account, and with 500 when any part cannot be retrieved (spec 3, Per-endpoint
 * errors): a partial sum would be wrong.
 */
export async function accountBalance(deps: BalanceDeps, id: string): Promise<AccountBalance> {
  await getAccount(deps.read, id)
  return await ifCallFails(evaluate(deps, id), (cause) => {
    throw fail('INTERNAL_ERROR', { cause })
  })
}

async function evaluate({ client, rates, now }: BalanceDeps, accountId: string): Promise<AccountBalance> {
  const records = await client.call(getAccountBalances, { params: { accountId } })
  // What an account held once needs no rate: for want of it, the answer would fail for ever.
  const held = records.filter(({ totalBalance }) => totalBalance !== '0')
  const assets = await Promise.all(
    held.map(async ({ assetCode, assetName, assetDecimals, totalBalance }) => {
      const { rate, at } = await rates(comparableCode(assetCode), () => askRate(client, assetCode, now))
      return {
        asset: { symbol: assetCode, name: assetName, decimals: assetDecimals },
        quantity: Number(totalBalance),
        usdValue: new Big(totalBalance).times(rate),
        usdQuoteTimestamp: at.toISOString(),
        usdQuoteRate: rate,
      }
    }),
  )
  const total = assets.reduce((sum, { usdValue }) => sum.plus(usdValue), new Big(0))
  return {
    accountId,
    currency: 'USD',
    totalBalance: total.toNumber(),
    assets: assets.map((asset) => ({ ...asset, usdValue: asset.usdValue.toNumber() })),
    timestamp: now().toISOString(),
  }
}

/**
 * The quote service computes the rate as it answers, but gives no time: the time of the answer is used. The gateway waits longer
 * for this service than this one for that.
 */
async function askRate(client: Client, assetCode: string, now: () => Date): Promise<UsdRate> {
  const { rate } = await client.call(createRate, { body: { assetCode }, timeoutMs: ratePatienceMs })
  return { rate, at: now() }
}
