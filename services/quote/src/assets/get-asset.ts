import type { Db } from '@bursar/store'
import { fail } from '../errors'
import { type AssetRecord, assetAndMappings } from './asset-relations'

/** One asset with its category and providers, in one statement; fails when it does not exist. */
export async function getAsset(db: Db, id: string): Promise<AssetRecord> {
  const rows = await assetAndMappings(db).execute({ id })
  const [first] = rows
  if (!first) throw fail('ASSET_NOT_FOUND')
  const assetProviders = rows.flatMap(({ provider }) =>
    provider ? [{ assetId: first.asset.id, providerId: provider.id, provider }] : [],
  )
  return { ...first.asset, assetProviders }
}
