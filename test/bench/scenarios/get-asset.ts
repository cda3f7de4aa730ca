import type { Load } from '../drive'
import type { Scenario, Subject } from '../scenario'
import { assetId } from '../seed'
import { bare, quote, rawReads } from '../subjects'

const any = (rows: number): Load => ({ path: '/', script: 'any-asset.lua', env: { ROWS: String(rows) } })
const path = `/assets/${assetId(42)}`
const one: Load = { path }

const scenario = (name: string, title: string, load: Load, assets: number): Scenario => ({
  name,
  title: `GET /assets/:id with relations, ${title}`,
  load,
  connections: [64],
  subjects: [quote({ assets }), bare(path), rawReads(assets)] satisfies Subject[],
  goals: [
    { of: 'service', connections: 64, share: 0.4, against: 'bare Bun.serve' },
    { of: 'service', connections: 64, share: 0.8, against: 'raw SQL' },
  ],
})

/** GET /assets/:id. The service keeps what it read lately, so it matters how many assets are asked for. */
export const getAsset = [
  scenario('get-one-asset', 'always the same', one, 10_000),
  scenario('get-asset', 'any of 10,000', any(10_000), 10_000),
  scenario('get-asset-of-a-million', 'any of 1,000,000', any(1_000_000), 1_000_000),
]
