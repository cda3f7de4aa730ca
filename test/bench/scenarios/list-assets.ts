import type { Load } from '../drive'
import type { Goal, Scenario } from '../scenario'
import { bare, quote, rawReads } from '../subjects'

const first: Load = { path: '/assets' }
const any: Load = { path: '/', script: 'any-page.lua' }
const large = 'service, of 1,000,000'
const goals: readonly Goal[] = [
  { of: 'service', connections: 64, share: 0.75, against: 'raw SQL' },
  { of: large, connections: 64, share: 0.9, against: 'service' },
]

/**
 * GET /assets: ten assets with category and providers, and how many there are. The service keeps a hundred pages in
 * memory while nobody changes the catalogue: the first is from there, one of a thousand seldom is.
 */
export const listAssets: readonly Scenario[] = [
  {
    name: 'list-first-assets',
    title: 'GET /assets, first 10 of 10,000 with relations and total',
    load: first,
    connections: [64],
    subjects: [
      quote({ assets: 10_000 }),
      bare(first.path),
      rawReads(10_000),
      quote({ name: large, assets: 1_000_000 }),
    ],
    goals,
  },
  {
    name: 'list-assets',
    title: 'the same, any of 1,000 pages',
    load: any,
    connections: [64],
    subjects: [quote({ assets: 10_000 }), rawReads(10_000), quote({ name: large, assets: 1_000_000 })],
    goals,
  },
]
