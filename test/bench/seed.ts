import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { migrations } from '../../services/quote/src/service'

const categories = 20
const providers = 8
const mappingsEach = 2
const start = Date.UTC(2026, 0, 1)

/** The ids that wrk/any-asset.lua makes as well. */
export const assetId = (i: number): string => id('0', i)

const id = (kind: string, i: number) => `0190000${kind}-0000-7000-8000-${i.toString(16).padStart(12, '0')}`

/** Makes the quote service's database in a folder, by its own migrations, with so many assets in it. */
export async function seed(folder: string, assets: number): Promise<void> {
  const file = join(folder, 'quote.sqlite')
  await (await openStore({ service: 'quote', file, migrations })).close()
  const db = new Database(file)
  db.run('PRAGMA synchronous = OFF')
  db.transaction(() => fill(db, assets))()
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

function fill(db: Database, assets: number) {
  const category = db.prepare('INSERT INTO categories VALUES (?1, ?2, lower(?2), NULL, ?3, ?3, NULL)')
  for (let i = 0; i < categories; i++) category.run(id('1', i), `Category ${i}`, start + i)
  const provider = db.prepare(`INSERT INTO providers VALUES (?1, ?2, lower(?2), ?3, 0, '{}', ?4, ?4, NULL)`)
  for (let i = 0; i < providers; i++) provider.run(id('2', i), `Provider ${i}`, `provider-${i}`, start + i)
  const asset = db.prepare('INSERT INTO assets VALUES (?1, ?2, lower(?2), ?3, ?4, ?5, NULL, ?6, ?6, NULL)')
  const mapping = db.prepare('INSERT INTO asset_providers VALUES (?1, ?2, NULL, ?3, ?3)')
  for (let i = 0; i < assets; i++) {
    asset.run(assetId(i), `Asset ${i}`, `CODE${i}`, id('1', i % categories), `What asset ${i} is about`, start + i)
    for (let k = 0; k < mappingsEach; k++) mapping.run(assetId(i), id('2', (i + k) % providers), start + i)
  }
  const counter = db.prepare('INSERT OR REPLACE INTO counters VALUES (?, ?)')
  for (const [name, total] of Object.entries({ assets, categories, providers })) counter.run(name, total)
}
