import type { Load } from '../drive'
import { bareProxy, benchKey, benchSecret, inOneProcess, throughGateway } from '../gateway-subject'
import type { Scenario } from '../scenario'
import { quote } from '../subjects'

const rows = 10_000
const load = (PREFIX: string): Load => ({
  path: '/',
  script: 'any-asset-with-key.lua',
  env: { ROWS: String(rows), PREFIX, API_KEY: benchKey },
})

const direct = 'direct'

/** What the gateway costs: a read with an API key, of the service itself, through a bare proxy and through the gateway. */
export const gateway: Scenario = {
  name: 'gateway',
  title: 'GET /assets/:id, any of 10,000, with an API key',
  load: load('/v1'),
  connections: [1, 64],
  subjects: [
    quote({ name: direct, assets: rows, env: { INTERNAL_SECRET: benchSecret } }),
    bareProxy(rows),
    throughGateway(load('/quote/v1'), rows),
    throughGateway(load('/quote/v1'), rows, { overTcp: true }),
    inOneProcess(load('/quote/v1'), rows),
  ],
  goals: [
    { of: 'through the gateway', connections: 1, addedP50Ms: 1, over: direct },
    { of: 'through the gateway', connections: 64, share: 0.4, against: direct },
    { of: 'through the gateway, in one process', connections: 64, share: 0.55, against: direct },
  ],
}
