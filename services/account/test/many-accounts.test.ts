import { expect, test } from 'bun:test'
import { sql, type Tx } from '@bursar/store'
import { testAccounts } from './harness'

/** Runs SQL directly: a hundred thousand requests would take minutes. */
const runRaw = (tx: Tx, text: string) => (tx as unknown as { run(query: unknown): void }).run(sql.raw(text))

test('counts end at 100,000 accounts', async () => {
  const service = await testAccounts()
  const total = async (query: string) =>
    (await service.get(`/accounts?count=true&${query}`)).headers.get('x-total-count')
  await service.store.commit(async (tx) =>
    runRaw(
      tx,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001)
       INSERT INTO accounts (id, type, status, name, created_at)
       SELECT printf('01900000-0000-7000-8000-%012x', i), 'STABLECOINS',
         CASE i WHEN 1 THEN 'suspended' ELSE 'active' END, 'Many', 0 FROM n`,
    ),
  )
  expect(await total('limit=1')).toBe('100000+')
  expect(await total('limit=1&status=active')).toBe('100000')
  expect(await total('limit=1&status=suspended')).toBe('1')
  await service.close()
})
