import type { Log } from '@bursar/contracts/log'

/** Says of each asset that cannot be followed why, once: the pass over them comes each minute. */
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
      log.warn({ ...asset, reason }, 'An asset of the ledger cannot be followed as it is')
    },
  }
}
