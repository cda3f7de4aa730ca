// How fast GET /transactions is, and how much memory it takes: `bun test/bench/ledger-stream.ts [transactions]`
// Starts the core ledger over so many transactions (1,000,000), reads the whole list, and watches the server's memory.
import { join } from 'node:path'
import { tempDir, testRedis } from '@bursar/testing'
import { leaveServerCore } from './cores'
import { seedLedger } from './ledger-seed'
import { startLedger } from './ledger-subjects'
import { memoryMb } from './processes'

const transactions = Number(process.argv[2] ?? 1_000_000)
const mostMb = 60

await leaveServerCore()
const redis = await testRedis()
const folder = tempDir()
await seedLedger(folder, { accounts: 10_000, deposits: transactions })
const server = await startLedger({ redisUrl: redis.url, bun: [process.execPath] }, folder)
await read('?limit=1000')
await Bun.sleep(2000)
const idle = await privateMb()
let most = idle
let watching = true
const watch = (async () => {
  while (watching) {
    most = Math.max(most, await privateMb())
    await Bun.sleep(50)
  }
})()
const started = performance.now()
const bytes = await read('')
const seconds = (performance.now() - started) / 1000
watching = false
await watch
console.log(
  `${transactions.toLocaleString('en')} transactions, ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s: ` +
    `${Math.round(transactions / seconds).toLocaleString('en')} a second. ` +
    `Memory ${idle.toFixed(0)} MB idle, at most ${(most - idle).toFixed(0)} MB more (goal: less than ${mostMb})`,
)
await server.stop()
await redis.stop()
process.exit(most - idle < mostMb ? 0 : 1)

async function read(query: string): Promise<number> {
  const answer = await fetch(`${server.url}/transactions${query}`)
  let size = 0
  for await (const piece of answer.body ?? []) size += piece.byteLength
  if (!answer.ok) throw new Error(`GET /transactions answered ${answer.status}`)
  return size
}

/** The process's own memory: pages of the database's file are mapped, and are the system's to keep or drop. */
async function privateMb(): Promise<number> {
  const text = await Bun.file(join('/proc', String(server.pid), 'status')).text()
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(text)?.[1]) / 1024 || (await memoryMb(server.pid)).rss
}
