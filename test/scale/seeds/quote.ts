import { assetId, seed as seedQuote } from '../../bench/seed'
import { fill, firstDay, json, series } from '../fill'
import { fileOf, fillDatabase, noReplicas, type Seed } from '../seed'

/** Those of the bench's seed, which makes the catalogue. */
const categoryId = (i: number) => `01900001-0000-7000-8000-${i.toString(16).padStart(12, '0')}`
const providerId = (i: number) => `01900002-0000-7000-8000-${i.toString(16).padStart(12, '0')}`
const sqlAssetId = (i: string) => `printf('01900000-0000-7000-8000-%012x', ${i})`
const rates = (rows: number) => series(1, rows)

/** People make them: a hundredth of the rates. */
const assets = (rows: number) => Math.max(100, Math.floor(rows / 100))

/** The quote service: so many rates, half of them of one asset. */
export const quote: Seed = {
  async make(folder, rows) {
    await seedQuote(folder, assets(rows))
    fillDatabase(fileOf(folder, 'quote'), (db) => {
      const own = rates(rows)
      const asset = series(5, assets(rows)).sqlOwner()
      fill(db, 'rates', rows, {
        id: own.sqlId(),
        asset_id: sqlAssetId(asset),
        asset_code: `'CODE' || ${asset}`,
        rate: `i * 7919 % 100000 / 7.0`,
        providers: json({ 'provider-1': 1 }),
        timestamp: own.sqlAt(),
      })
      fill(db, 'ended_values', rows, {
        id: series(2, rows).sqlId(),
        asset_code: `'code' || ${asset}`,
        value: '1.5',
        ended_at: own.sqlAt(),
      })
      fill(db, 'category_providers', 160, {
        id: series(3, 160).sqlId(),
        category_id: `printf('01900001-0000-7000-8000-%012x', i / 8)`,
        provider_id: `printf('01900002-0000-7000-8000-%012x', i % 8)`,
        created_at: own.sqlAt(),
        updated_at: own.sqlAt(),
      })
      // Of the first asset as many as are asked for in two days, and a fixed value besides.
      fill(db, 'rates', Math.min(rows, 10_000), {
        id: series(4, rows).sqlId(),
        asset_id: sqlAssetId('0'),
        asset_code: `'CODE0'`,
        rate: 'i % 100',
        providers: json({ 'provider-1': 1 }),
        timestamp: `${Date.now()} - i * 17000`,
      })
      db.run('UPDATE assets SET static_value = 1 WHERE rowid = 1')
      db.run(`INSERT INTO counters SELECT 'rates', count(*) FROM rates`)
      db.run(`INSERT INTO counters SELECT 'rates:' || asset_id, count(*) FROM rates GROUP BY asset_id`)
    })
  },
  values: (rows) => {
    const [last, lastAsset] = [rows - 1, assets(rows) - 1]
    const late = rates(rows)
      .at(rows - 100)
      .toISOString()
    return {
      'GET /assets/{id} id': [assetId(0), assetId(lastAsset)],
      'GET /categories/{id} id': [categoryId(0)],
      'GET /providers/{id} id': [providerId(0)],
      'GET /assets name': ['asset', `asset ${lastAsset}`],
      'GET /rates name': ['asset', `asset ${lastAsset}`],
      name: ['category', 'provider'],
      code: [`CODE${lastAsset}`],
      slug: ['provider-1'],
      categoryId: [categoryId(0)],
      assetId: [assetId(0), assetId(1)],
      assetCode: ['CODE0', `CODE${lastAsset}`],
      fromTime: [firstDay, late],
      toTime: [rates(rows).at(last).toISOString(), rates(rows).at(100).toISOString()],
      since: [new Date(Date.now() - 47 * 60 * 60 * 1000).toISOString()],
      q: ['asset', `CODE${lastAsset}`, assetId(lastAsset)],
      participantId: [assetId(0)],
    }
  },
  plans: {
    'lower("rates"."asset_code") = lower': 'sorts the rates of one asset in two days',
    'order by coalesce("rates".': 'sorts a page',
    'order by +"rates".': 'sorts what few pass the filters',
  },
  bounded: {
    assets: 'some thousands: people make them',
    asset_providers: 'each asset with some providers',
    ...noReplicas,
    counter_changes: 'is empty where one process owns the database, and emptied on a server',
    categories: 'some dozens: people make them',
    providers: 'some: people make them',
    category_providers: 'each category with each provider at most',
    counters: 'one for each list, and one for each asset: people make them',
  },
}
