import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { silentLog } from '@bursar/contracts/log'
import { checkpointThread } from '../src/engine/checkpoint-thread'
import type { OpenStore } from '../src/index'
import { afterTest, heldWriter, makeThing, tempFile, tempStore, thingIds, until } from './harness'

const checkpointPages = 100
const pageBytes = 4096 + 24

function warnings() {
  const said: string[] = []
  return {
    said,
    log: { ...silentLog, warn: (_: object, message: string) => message !== heldWriter && said.push(message) },
  }
}

const logPages = (file: string) => statSync(`${file}-wal`).size / pageBytes

let made = 0
/** Commits batches of ten until the condition holds. */
async function writeUntil(store: OpenStore, condition: () => boolean): Promise<void> {
  await until('the log was folded', async () => {
    await Promise.all(Array.from({ length: 10 }, () => store.commit((tx) => makeThing(tx, `${made++}`))))
    return condition()
  })
}

/** How many pages of the log stand in the file too, by a connection beside the store's. */
function folded(file: string): number {
  const database = new Database(file, { readonly: true })
  const row = database.query<{ checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)').get()
  database.close()
  return row?.checkpointed ?? 0
}

test('no thread is started while no log has grown', async () => {
  checkpointThread.revive()
  const stores = await Promise.all([1, 2, 3].map(() => tempStore()))
  await Promise.all(stores.map((store) => store.commit((tx) => makeThing(tx, 'a'))))
  expect(checkpointThread.isRunning()).toBe(false)
})

test('one thread folds the logs of all stores, which start anew, so that none grows without end', async () => {
  checkpointThread.revive()
  const { said, log } = warnings()
  const files = [tempFile(), tempFile(), tempFile()]
  const stores = await Promise.all(files.map((file) => tempStore({ file, log, tuning: { checkpointPages } })))
  await Promise.all(
    stores.map(async (store) => {
      const from = made
      await writeUntil(store, () => made > from + 6000)
    }),
  )
  expect(checkpointThread.isRunning()).toBe(true)
  expect(said).toEqual([])
  for (const file of files) expect(logPages(file)).toBeLessThan(checkpointPages * 12)
})

test('when the thread is killed during a checkpoint, the writer goes on and does them itself', async () => {
  checkpointThread.revive()
  const { said, log } = warnings()
  const file = tempFile()
  const store = await tempStore({ file, log, tuning: { checkpointPages } })
  const before = made
  await writeUntil(store, () => checkpointThread.isRunning())
  checkpointThread.terminate()
  await writeUntil(store, () => said.length > 0)
  expect(said[0]).toBe('No checkpoint in the background: the writer does it')
  const from = made
  await writeUntil(store, () => made > from + 6000)
  expect(checkpointThread.isRunning()).toBe(false)
  expect(logPages(file)).toBeLessThan(checkpointPages * 12)
  expect(await thingIds(store)).toHaveLength(made - before)
  await store.close()
  const database = new Database(file, { readonly: true })
  afterTest(() => database.close())
  expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
  expect(database.query('SELECT count(*) FROM things').values()).toEqual([[made - before]])
})

test('a reader elsewhere that holds the log delays its new beginning and nothing else', async () => {
  checkpointThread.revive()
  const file = tempFile()
  const store = await tempStore({ file, tuning: { checkpointPages } })
  const other = new Database(file, { readonly: true })
  afterTest(() => other.close())
  other.run('BEGIN')
  other.query('SELECT count(*) FROM things').get()
  await writeUntil(store, () => logPages(file) > checkpointPages * 5)
  other.run('COMMIT')
  await writeUntil(store, () => folded(file) > checkpointPages)
  const from = made
  const longest = logPages(file) + checkpointPages * 12
  await writeUntil(store, () => made > from + 6000)
  expect(logPages(file)).toBeLessThan(longest)
})
