// How fast addresses are screened against a large list, and what a reload costs: `bun test/bench/sanctions.ts [entries]`.
// Goals: 10,000 synchronous screenings a second, a look-up under 1 ms, no pause while a list is replaced, and less than
// 100 MB of memory for a million entries. Runs the real service in a process of its own, and its own tool to load lists.
import { join } from 'node:path'
import { createClient, createIdentity, openInternalSecret } from '@bursar/http'
import { freePort, tempDir, testRedis } from '@bursar/testing'
import { testService } from '@bursar/testing/service'
import { sendList } from '../../scripts/sanctions-update/send-list'
import { screeningKey } from '../../services/sanctions/src/addresses/screening-key'
import { config } from '../../services/sanctions/src/config'
import { lookUp } from '../../services/sanctions/src/lists/look-up'
import { definition } from '../../services/sanctions/src/service'
import { leaveServerCore, onServerCore } from './cores'
import { drive } from './drive'
import { killAll, memoryMb, startProcess } from './processes'

const count = Number(process.argv[2] ?? 1_000_000)
const seconds = 5
const connections = 64
const root = join(import.meta.dir, '../..')
const address = (i: number) => `0xb${i.toString(16).padStart(39, '0')}`
const entries = Array.from({ length: count }, (_, i) => ({
  entryId: String(30_000 + i),
  asset: 'ETH',
  address: address(i),
  name: `SOMEBODY ${i}`,
}))

await leaveServerCore()
const redis = await testRedis()
const dataDir = tempDir()
const port = String(await freePort())
const env = { DATA_DIR: dataDir, SANCTIONS_PORT: port, REDIS_URL: redis.url, NODE_ENV: 'production' }
const settings = config(env)
const identity = createIdentity('sanctions', openInternalSecret(dataDir, undefined), () => new Date())
const client = createClient({ name: 'sanctions', identity, urls: settings.urls, timeoutMs: 60_000 })
const start = () =>
  startProcess({
    command: [...onServerCore, process.execPath, join(root, 'services/sanctions/src/main.ts')],
    env,
    readyUrls: [`http://127.0.0.1:${port}/health`],
    log: join(dataDir, 'sanctions.log'),
  })

/** Loads a list as the operator's tool does; how long that took, in seconds. */
async function load(publishedAt: string): Promise<number> {
  const started = performance.now()
  const list = { name: 'OFAC SDN', source: 'bench', publishedAt, entries, names: [], checksum: 'ab'.repeat(32) }
  await sendList(client, list, { force: true, tell: () => {} })
  return (performance.now() - started) / 1000
}

function row(what: string, figures: Record<string, number>): void {
  const words = Object.entries(figures).map(([name, value]) => `${name} ${Math.round(value * 1000) / 1000}`)
  console.log(`${what.padEnd(44)} ${words.join('   ')}`)
}

const screen = (server: { url: string; pid: number }, ADDRESSES: string, forSeconds = seconds) =>
  drive(server, { path: '', script: 'sanctions.lua', env: { ADDRESSES } }, connections, forSeconds)

try {
  let server = await start()
  await screen(server, 'known', 2)
  const body = JSON.stringify({ externalId: 'bench', address: address(1), blockchain: 'ethereum' })
  const headers = { 'content-type': 'application/json' }
  const job = await fetch(`${server.url}/v1/sanctions/verify-address`, { method: 'POST', headers, body })
  const { jobId } = (await job.json()) as { jobId: string }
  const read = await drive(server, { path: `/v1/sanctions/jobs/${jobId}` }, connections, seconds)
  row('for comparison, a job read by its id', { ...read })
  row('the built-in list', { rssMb: (await memoryMb(server.pid)).rss })
  for (const kind of ['known', 'new']) row(`  ${kind} addresses`, { ...(await screen(server, kind)) })
  row(`${count} entries loaded`, {
    seconds: await load('2024-10-01T00:00:00.000Z'),
    rssMb: (await memoryMb(server.pid)).rss,
  })
  for (const kind of ['known', 'new', 'listed']) row(`  ${kind} addresses`, { ...(await screen(server, kind)) })
  row('  afterwards', { rssMb: (await memoryMb(server.pid)).rss })

  const reload = load('2024-10-02T00:00:00.000Z')
  const during = await screen(server, 'known', 10)
  row('another one loaded, meanwhile known addresses', { ...during })
  row('  until it was in use', { seconds: await reload, rssMb: (await memoryMb(server.pid)).rss })
  await server.stop()
  server = await start()
  row('started anew', { readyMs: server.readyMs, rssMb: (await memoryMb(server.pid)).rss })
  await screen(server, 'new', 2)
  row('  after some screenings', { rssMb: (await memoryMb(server.pid)).rss })
  await server.stop()
  await lookUps()
} finally {
  killAll()
  await redis.stop()
}

/** A look-up by itself, in this process. */
async function lookUps(): Promise<void> {
  const before = process.memoryUsage.rss()
  const service = await testService({ name: 'sanctions', dataDir, definition: definition(settings) })
  const list = service.deps.list.get()
  row('the list in this process', { megabytes: (process.memoryUsage.rss() - before) / 1024 / 1024 })
  for (const [what, prefix] of Object.entries({ listed: '0xb', other: '0xe' })) {
    const times: number[] = []
    for (let i = 0; i < 20_000; i++) {
      const key = screeningKey(
        `${prefix}${Math.floor(Math.random() * count)
          .toString(16)
          .padStart(39, '0')}`,
      )
      const started = performance.now()
      await lookUp(service.store.read, list, key)
      times.push((performance.now() - started) * 1000)
    }
    times.sort((a, b) => a - b)
    const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
    row(`  look-up of a ${what} address, µs`, { p50: at(0.5), p99: at(0.99), max: at(0.999999) })
  }
  await service.close()
}
