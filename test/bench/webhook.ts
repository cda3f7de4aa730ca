// Deliveries per second to a receiver on this machine: `bun test/bench/webhook.ts [deliveries] [rounds]`
// The webhook service runs on a core of its own where there are two; its queue is full before it starts. Each number of endpoints
// is measured without and with one more that hangs: the others should keep 90 % of their rate, and 1,000/s in all.
import { join } from 'node:path'
import { type DeliveryRequest, DeliveryRequested } from '@bursar/contracts/webhook'
import { freePort, tempDir, testRedis, until } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { config } from '../../services/webhook/src/config'
import { definition } from '../../services/webhook/src/service'
import { coresInWords, leaveServerCore, onServerCore } from './cores'
import { median } from './drive'
import { killAll, startProcess } from './processes'
import { table } from './table'

const deliveries = Number(process.argv[2] ?? 10_000)
const rounds = Number(process.argv[3] ?? 3)
const sizes = [1, 10, 100] as const

process.on('exit', killAll)
await leaveServerCore()
const redis = await testRedis()
let arrived = 0
let firstAt = 0
let lastAt = 0
const receiver = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  idleTimeout: 0,
  fetch(request) {
    if (request.url.endsWith('/hanging')) return new Promise<Response>(() => {})
    lastAt = performance.now()
    if (arrived === 0) firstAt = lastAt
    arrived += 1
    return new Response('ok')
  },
})

/** A data folder with so many endpoints, and all deliveries waiting in their queues. */
async function seeded(endpoints: number, hanging: boolean): Promise<string> {
  const dataDir = tempDir()
  const settings = config({ DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.1' })
  const service = await testService({ name: 'webhook', dataDir, definition: definition(settings) })
  const register = (participantId: string, path: string) =>
    service.create('/webhooks/endpoints', { participantId, url: `${receiver.url}${path}` })
  for (let i = 0; i < endpoints; i++) await register(`p${i}`, `good/${i}`)
  if (hanging) await register('hanging', 'hanging')
  const ask = (participantId: string) => service.consume(requested(participantId))
  for (let made = 0; made < deliveries; made += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, i) => ask(`p${(made + i) % endpoints}`)))
  }
  if (hanging) await Promise.all(Array.from({ length: 100 }, () => ask('hanging')))
  await service.close()
  return dataDir
}

function requested(participantId: string) {
  const data: DeliveryRequest = {
    v: 1,
    requestId: Bun.randomUUIDv7(),
    eventType: 'message.created',
    participantId,
    fallbackUrl: null,
    headers: null,
    payload: { type: 'message.created', timestamp: new Date().toISOString(), data: { text: 'x'.repeat(300) } },
  }
  const { name, type } = DeliveryRequested
  return { id: Bun.randomUUIDv7(), name, type, timestamp: data.requestId, requestId: null, service: 'bench', data }
}

/** Deliveries per second, from the first to the last. */
async function rate(endpoints: number, hanging: boolean): Promise<number> {
  const dataDir = await seeded(endpoints, hanging)
  const port = await freePort()
  arrived = 0
  const service = await startProcess({
    command: [...onServerCore, process.execPath, join(import.meta.dir, '../../services/webhook/src/main.ts')],
    env: {
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      REDIS_URL: redis.url,
      WEBHOOK_PORT: String(port),
      OUTBOUND_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'error',
    },
    readyUrls: [`http://127.0.0.1:${port}/health`],
    log: join(dataDir, 'log'),
  })
  await until(() => arrived >= deliveries, { timeoutMs: 300_000, what: 'all deliveries' })
  await service.stop()
  return deliveries / ((lastAt - firstAt) / 1000)
}

const rows: string[][] = []
for (const endpoints of sizes) {
  const alone: number[] = []
  const beside: number[] = []
  for (let round = 1; round <= rounds; round++) {
    alone.push(await rate(endpoints, false))
    beside.push(await rate(endpoints, true))
    console.error(
      `${endpoints} endpoints, round ${round}: ${alone.at(-1)?.toFixed(0)}/s, ${beside.at(-1)?.toFixed(0)}/s`,
    )
  }
  const kept = median(beside.map((each, round) => each / (alone[round] ?? Number.NaN)))
  const cells = [median(alone), median(beside)].map((each) => each.toFixed(0))
  rows.push([String(endpoints), ...cells, `${(kept * 100).toFixed(0)} %`])
}
const head = ['endpoints', 'deliveries/s', 'with one more that hangs', 'kept']
console.log(`${deliveries} deliveries, ${rounds} rounds, ${coresInWords}\n\n${table(head, rows, head)}`)
await receiver.stop(true)
await redis.stop()
process.exit()
