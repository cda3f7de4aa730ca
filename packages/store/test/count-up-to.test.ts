import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { mostCounted, param, prepared } from '../src/index'
import { countUpTo } from '../src/lists/count-up-to'
import { things } from './fixture/things.table'
import { runRaw, tempStore } from './harness'

const labelled = prepared((db) => countUpTo(db, things, eq(things.label, param('label'))))

test('counts what a condition leaves, and one more than it counts where there is more', async () => {
  const store = await tempStore()
  const fill = (label: string, count: number) =>
    store.commit(async (tx) =>
      runRaw(
        tx,
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
         INSERT INTO things (id, label, data, created_at, amount) SELECT '${label}-' || i, '${label}', '{}', 0, '0' FROM n`,
      ),
    )
  await fill('few', 3)
  await fill('all', mostCounted)
  await fill('many', mostCounted + 50)
  const total = async (label: string) => (await labelled(store.read).execute({ label }))[0]?.total
  expect([await total('none'), await total('few')]).toEqual([0, 3])
  expect([await total('all'), await total('many')]).toEqual([mostCounted, mostCounted + 1])
})
