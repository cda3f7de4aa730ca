import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { params, prepared, retireOld } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { config } from '../src/config'
import { bump, ratesOf } from '../src/counters/counters'
import { retainedRates } from '../src/rates/retention'
import { rates as ratesTable } from '../src/tables/rates.table'
import { testRates } from './rates-harness'

const noon = Date.parse('2026-01-31T12:00:00.000Z')
const dayMs = 24 * 60 * 60 * 1000
const insert = prepared((db) => db.insert(ratesTable).values(params(ratesTable)))

test('rates of the last three days are needed: no fewer than 4 days are kept', () => {
  for (const days of ['0', '4']) expect(config({ RATE_RETENTION_DAYS: days }).retentionDays).toBe(Number(days))
  expect(() => config({ RATE_RETENTION_DAYS: '3' })).toThrow('RATE_RETENTION_DAYS must be 0, or 4 or more')
})

test('rates older than RATE_RETENTION_DAYS go to the archive, and out of every total', async () => {
  const [rates, folder] = [await testRates(), tempDir()]
  const bitcoin = await rates.asset({ code: 'BTC' })
  await rates.store.commit(async (tx) => {
    for (const [days, assetId] of [
      [31, bitcoin.id],
      [30, null],
      [29, bitcoin.id],
    ] as const) {
      const timestamp = new Date(noon - days * dayMs - 1)
      const id = Bun.randomUUIDv7('hex', timestamp)
      await insert(tx).execute({ id, assetId, assetCode: 'BTC', rate: days, providers: { desk: days }, timestamp })
      await bump(tx, 'rates', 1)
      if (assetId) await bump(tx, ratesOf(assetId), 1)
    }
  })
  const options = { store: rates.store, folder, now: () => new Date(noon) }
  await retireOld([{ retained: retainedRates, days: 30 }], options)
  const { data, pageInfo } = (await rates.get('/rates')).body
  expect([data.map(({ rate }: { rate: number }) => rate), pageInfo.total]).toEqual([[29], 1])
  // By its name: the total comes from the counter of its rates.
  expect((await rates.get('/rates?name=some')).body.pageInfo.total).toBe(1)
  const lines: string[] = []
  for (const file of [...new Bun.Glob('rates/*/*.jsonl.gz').scanSync({ cwd: folder })]) {
    lines.push(
      ...Buffer.from(Bun.gunzipSync(await Bun.file(join(folder, file)).bytes()))
        .toString()
        .trimEnd()
        .split('\n'),
    )
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { assetId: bitcoin.id, assetCode: 'BTC', rate: 31, providers: { desk: 31 } },
    { assetId: null, rate: 30 },
  ])
  await rates.close()
})
