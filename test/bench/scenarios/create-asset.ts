import type { Scenario } from '../scenario'
import { quote, rawWrites } from '../subjects'

/** POST /assets: a commit to the disk for every answer. */
export const createAsset: Scenario = {
  name: 'create-asset',
  title: 'POST /assets',
  load: { path: '/assets', script: 'new-asset.lua' },
  connections: [1, 16, 64],
  subjects: [
    quote({ assets: 0, writes: true }),
    rawWrites('raw SQL, grouped', 'grouped'),
    rawWrites('raw SQL, a transaction each', 'single'),
  ],
  goals: [
    { of: 'service', connections: 64, share: 0.75, against: 'raw SQL, grouped' },
    { of: 'service', connections: 64, share: 10, against: 'raw SQL, a transaction each' },
    { of: 'service', connections: 64, p99BelowMs: 15 },
  ],
}
