// What transactions of two instances read is theirs alone, as long as they read by indexes.
import { describe, expect, test } from 'bun:test'
import type { ServerStore } from '../../src/postgres/open'
import { openPool } from '../../src/postgres/pool'
import { schemaOf } from '../../src/statements/declared'
import { insertThing, labelOf, newThing, serverUrl, setLabel, tempStore } from '../harness'

// These need a server: postgres.test.ts runs them on one of its own.
const onServer = describe.skipIf(serverUrl === null)

onServer('commits of two instances', () => {
  test('that read and change other rows of a small table keep neither from its end', async () => {
    const file = crypto.randomUUID()
    const [one, other] = [(await tempStore({ file })) as ServerStore, (await tempStore({ file })) as ServerStore]
    const schema = await one.commit(async (tx) => {
      for (const id of ['a', 'b', 'c']) await insertThing(tx).execute(newThing(id, { label: 'old' }))
      return schemaOf(tx)
    })
    // From now on the server knows that it would have read the whole table sooner.
    const pool = openPool(serverUrl as string, 1)
    const connection = await pool.take()
    await connection.run(`ANALYZE "${schema}".things`)
    expect(
      String((await connection.run(`EXPLAIN SELECT label FROM "${schema}".things WHERE id = 'a'`)).rows),
    ).toContain('Seq Scan')
    connection.release()
    await pool.close()

    // Each reads before the other one writes.
    const both = [one, other].map(() => Promise.withResolvers<void>())
    const change = (store: ServerStore, turn: 0 | 1, id: string) =>
      store.commit(async (tx) => {
        const [row] = await labelOf(tx).execute({ id })
        both[turn]?.resolve()
        await Promise.all(both.map(({ promise }) => promise))
        await setLabel(tx).execute({ id, label: `${row?.label} ${id}` })
      })
    await Promise.all([change(one, 0, 'a'), change(other, 1, 'b')])
    expect(await labelOf(one.read).execute({ id: 'a' })).toEqual([{ label: 'old a' }])
    expect(await labelOf(one.read).execute({ id: 'b' })).toEqual([{ label: 'old b' }])
    expect([one.lanes().conflicts, other.lanes().conflicts]).toEqual([0, 0])
  })
})
