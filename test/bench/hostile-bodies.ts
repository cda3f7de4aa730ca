// How long one hostile body holds up everybody else: `bun test/bench/hostile-bodies.ts`
// Sends bodies that are as wrong as a megabyte allows to a service with strict schemas, and prints the longest time each
// took, all of it on the event loop. The limit is 50 ms.

import { silentLog } from '@bursar/contracts/log'
import { nullable, t, text, uuid } from '@bursar/contracts/schema'
import { createMetrics, plainHealth, service } from '@bursar/http'
import { Elysia } from 'elysia'

const rounds = 7
const limitMs = 50

const Item = t.Object({ id: uuid(), name: text(100), size: t.Integer(), note: t.Optional(nullable(text())) })
const app = service({
  name: 'bench',
  version: 'bench',
  description: 'A sample.',
  shape: 'object',
  log: silentLog,
  metrics: createMetrics('bench', 'bench'),
  health: plainHealth('bench', 'bench', {}),
}).use(
  new Elysia().post('/items', () => 'taken', {
    body: t.Object({ name: text(100), items: t.Array(Item), data: t.Optional(t.Record(t.String(), t.Unknown())) }),
  }),
)

const list = (count: number, item: string) => Array.from({ length: count }, () => item).join()
const good = '{"id":"018f2f3e-0000-7000-8000-000000000000","name":"x","size":1}'
const bodies: Record<string, string> = {
  '300,000 empty objects': `{"name":"a","items":[${list(300_000, '{}')}]}`,
  '19,000 empty objects': `{"name":"a","items":[${list(19_000, '{}')}]}`,
  '6,000 right objects': `{"name":"a","items":[${list(6_000, good)}]}`,
  '500,000 numbers': `{"name":"a","items":[${list(500_000, '1')}]}`,
  '19,000 long numbers': `{"name":"a","items":[],"data":{"n":[${list(19_000, '1234567890123456')}]}}`,
  'a text of 1,000,000 characters': `{"name":"${'x'.repeat(1_000_000)}","items":[]}`,
  'half a million brackets': '['.repeat(500_000),
  '19,000 unknown fields': `{"name":"a","items":[],${Array.from({ length: 19_000 }, (_, i) => `"f${i}":1`).join()}}`,
  'a million escapes': `{"name":"${'\\n'.repeat(400_000)}","items":[]}`,
}

let worst = 0
for (const [what, body] of Object.entries(bodies)) {
  const times: number[] = []
  let status = 0
  for (let round = 0; round < rounds; round++) {
    const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
    const started = performance.now()
    status = (await app.handle(new Request('http://localhost/items', { method: 'POST', headers, body }))).status
    times.push(performance.now() - started)
  }
  // The first rounds compile; the median of the rest is what a caller can repeat.
  const median = times.slice(2).sort((a, b) => a - b)[2] ?? 0
  worst = Math.max(worst, median)
  console.log(`${what.padEnd(34)} ${String(status).padStart(3)}  ${median.toFixed(1).padStart(6)} ms`)
}
console.log(worst <= limitMs ? `All within ${limitMs} ms.` : `Over ${limitMs} ms: ${worst.toFixed(0)} ms.`)
process.exit(worst <= limitMs ? 0 : 1)
