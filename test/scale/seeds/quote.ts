import { assetId, seed as seedQuote } from '../../bench/seed'
import { fill, firstDay, json, series } from '../fill'
import { fileOf, fillDatabase, noReplicas, type Seed } from '../seed'

/** Those of the bench's seed, which makes the catalogue. */
const categoryId = (i: number) => `01900001-0000-7000-8000-${i.toString(16).padStart(12, '0')}`
const providerId = (i: number) => `01900002-0000-7000-8000-${i.toString(16).padStart(12, '0')}`
const sqlAssetId = (i: string) => `printf('01900000-0000-7000-8000-%012x', ${i})`
const rates = (rows: number) => series(1, rows)

/** The quote service: a catalogue of so many assets, and as many rates, half of them of one asset. */
export const quote: Seed = {
  async make(folder, rows) {
    await seedQuote(folder, rows)
    fillDatabase(fileOf(folder, 'quote'), (db) => {
      const own = rates(rows)
      const asset = own.sqlOwner()
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
      // The unknown codes that were asked for, and prices of them.
      db.run(`UPDATE assets SET static_value = 1 WHERE rowid % 50 = 0`)
    })
  },
  values: (rows) => {
    const last = rows - 1
    const late = rates(rows)
      .at(rows - 100)
      .toISOString()
    return {
      'GET /assets/{id} id': [assetId(0), assetId(last)],
      'GET /categories/{id} id': [categoryId(0)],
      'GET /providers/{id} id': [providerId(0)],
      'GET /assets name': ['asset', `asset ${last}`],
      'GET /rates name': ['asset', `asset ${last}`],
      name: ['category', 'provider'],
      code: [`CODE${last}`],
      slug: ['provider-1'],
      categoryId: [categoryId(0)],
      assetId: [assetId(0), assetId(1)],
      assetCode: ['CODE0', `CODE${last}`],
      fromTime: [firstDay, late],
      toTime: [rates(rows).at(last).toISOString(), rates(rows).at(100).toISOString()],
      // The last two days, as callers ask for.
      since: [
        rates(rows)
          .at(last - 20)
          .toISOString(),
      ],
      q: ['asset', `CODE${last}`, assetId(last)],
      participantId: [assetId(0)],
    }
  },
  bounded: {
    ...noReplicas,
    categories: 'some dozens: people make them',
    providers: 'some: people make them',
    category_providers: 'each category with each provider at most',
    counters: 'one for each list',
  },
}
