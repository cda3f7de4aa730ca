import { asc, type Db, desc, eq, highestGiven, isNull, prepared, sql } from '@bursar/store'
import { assetTerms } from '../assets/asset-terms.table'
import { assets } from '../assets/assets.table'
import { AuditDifference } from './audit-difference'

/**
 * Compares every asset with its newest row of terms, which is sealed with the journal: code, decimals, network,
 * contract, and whether it is deleted. Throws AuditDifference.
 */
export async function auditAssets(read: Db): Promise<void> {
  // In this order, because rows are added meanwhile.
  const given = await highestGiven(read, assetTerms)
  const [last] = await newestTerms(read).execute()
  if ((last?.seq ?? 0) < given) {
    throw new AuditDifference(`The terms of assets end with number ${last?.seq ?? 0}; there was number ${given}`)
  }
  for (const { id, asset, noted } of await assetsWithTerms(read).execute()) {
    if (noted && textOf(noted) === textOf(asset)) continue
    const was = noted ? `was noted as ${textOf(noted)}` : 'was never noted'
    throw new AuditDifference(`Asset ${id} is ${textOf(asset)}; it ${was}`)
  }
  const [lost] = await termsWithoutAsset(read).execute()
  if (lost) throw new AuditDifference(`Asset ${lost.assetId} (${lost.code}) is not there any more`)
}

const termsOf = (table: typeof assets | typeof assetTerms) => ({
  code: table.code,
  decimals: table.decimals,
  network: table.network,
  contractAddress: table.contractAddress,
  deletedAt: table.deletedAt,
})
type Noted = Awaited<ReturnType<ReturnType<typeof assetsWithTerms>['execute']>>[number]['noted']

const textOf = (terms: Noted): string => {
  const { code, decimals, network, contractAddress, deletedAt } = terms ?? {}
  return JSON.stringify([code, decimals, network, contractAddress, deletedAt && +deletedAt])
}

const latest = sql`(select max("later"."seq") from ${assetTerms} as "later" where "later"."asset_id" = ${assets.id})`
/** In one statement, hence consistent. */
const assetsWithTerms = prepared((db) =>
  db
    .select({ id: assets.id, asset: termsOf(assets), noted: termsOf(assetTerms) })
    .from(assets)
    .leftJoin(assetTerms, eq(assetTerms.seq, latest))
    .orderBy(asc(assets.id)),
)
const newestTerms = prepared((db) =>
  db.select({ seq: assetTerms.seq }).from(assetTerms).orderBy(desc(assetTerms.seq)).limit(1),
)
const termsWithoutAsset = prepared((db) =>
  db
    .select({ assetId: assetTerms.assetId, code: assetTerms.code })
    .from(assetTerms)
    .leftJoin(assets, eq(assets.id, assetTerms.assetId))
    .where(isNull(assets.id))
    .limit(1),
)
