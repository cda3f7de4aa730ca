import { expect, test } from 'bun:test'
import { runRaw } from '@bursar/testing/service'
import { testAccounts } from './harness'

test('counts end at 100,000 accounts', async () => {
  const service = await testAccounts()
  const total = async (query: string) =>
    (await service.get(`/accounts?count=true&${query}`)).headers.get('x-total-count')
  // A hundred thousand requests would take minutes.
  await service.store.commit((tx) =>
    runRaw(
      tx,
      `insert into accounts (id, type, status, name, created_at)
       with recursive "n" as (select 1 as i union all select i + 1 from "n" where i < 100001)
       select '01900000-0000-7000-8000-' || substr('' || (100000000000 + i), 1, 12), 'STABLECOINS',
         case i when 1 then 'suspended' else 'active' end, 'Many', 0 from "n"`,
    ),
  )
  expect(await total('limit=1')).toBe('100000+')
  expect(await total('limit=1&status=active')).toBe('100000')
  expect(await total('limit=1&status=suspended')).toBe('1')
  await service.close()
})
