import type { Log } from '@bursar/contracts/log'

/** Logs once why an asset cannot be registered, although it is checked every minute. */
export interface AssetReport {
  leftOut(asset: { code: string; network: string; decimals: number }, reason: string): void
}

const most = 1000

export function createAssetReport(log: Log): AssetReport {
  const said = new Set<string>()
  return {
    leftOut(asset, reason) {
      const key = JSON.stringify([asset.network, asset.code, asset.decimals, reason])
      if (said.has(key)) return
      if (said.size >= most) said.clear()
      said.add(key)
      log.warn({ ...asset, reason }, 'An asset of the ledger cannot be registered')
    },
  }
}
