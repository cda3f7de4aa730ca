import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import {
  beginRun,
  emit,
  markChanged,
  noteRun,
  type OpenStore,
  previousRunOf,
  readRunFile,
  wasSetBack,
  writeRunFile,
} from '../src/index'
import { epochOf } from '../src/replica/changes'
import { runRaw, ThingMade, tempFile, tempStore } from './harness'

test('a database was set back where its run file does not know its last run, or knows a later one', async () => {
  const [store, file] = [await tempStore(), join(tempDir(), 'test.run')]
  const isSetBack = () => wasSetBack(store.read, file)
  await beginRun(store, null, new Date(5000))
  expect(await isSetBack()).toBe(false)
  await noteRun(store, file)
  await beginRun(store, null, new Date(6000))
  expect(await isSetBack()).toBe(false)

  await writeRunFile(file, () => 5001)
  expect(await isSetBack()).toBe(true)
  writeFileSync(file, '5000 and something')
  expect(await isSetBack()).toBe(true)
  rmSync(file)
  expect(await isSetBack()).toBe(true)
  await noteRun(store, file)
  await beginRun(store, null, new Date(7000))
  expect(await isSetBack()).toBe(false)
})

test('a run file that this process may not read is no sign of a restore', async () => {
  const [store, file] = [await tempStore(), join(tempDir(), 'test.run')]
  await beginRun(store, null, new Date(5000))
  await noteRun(store, file)
  await beginRun(store, null, new Date(6000))
  rmSync(file)
  // Permissions refuse nothing to root, as whom tests may run: a folder cannot be read by anybody.
  mkdirSync(file)
  await expect(wasSetBack(store.read, file)).rejects.toMatchObject({ code: 'EISDIR' })
})

test('a run file has its new content under its name before its folder is synced, and is written only then', async () => {
  const folder = tempDir()
  const file = join(folder, 'test.run')
  await writeRunFile(file, () => 1)
  const synced: unknown[] = []
  await writeRunFile(
    file,
    () => 2,
    async (path) => void synced.push([path, readRunFile(file)]),
  )
  expect(synced).toEqual([[folder, 2]])
  const full = () => Promise.reject(new Error('the disk is broken'))
  await expect(writeRunFile(file, () => 3, full)).rejects.toThrow('the disk is broken')
})

test('writes of one run file at the same time are one, with what the last one says then, also after one that failed', async () => {
  const file = join(tempDir(), 'test.run')
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const full = async () => {
    begun.resolve()
    await ended.promise
    throw new Error('the disk is broken')
  }
  const failing = writeRunFile(file, () => 'first', full)
  await begun.promise
  const said: string[] = []
  const writing = Array.from({ length: 20 }, (_, i) =>
    writeRunFile(file, () => {
      said.push(`${i}`)
      return 'x'.repeat(5000 - 200 * i)
    }),
  )
  expect(said).toEqual([])
  ended.resolve()
  await expect(failing).rejects.toThrow('the disk is broken')
  await Promise.all(writing)
  expect([said, readRunFile(file)]).toEqual([['19'], 'x'.repeat(1200)])
})

test('a copy of the same run was set back when an event was committed since, and no other is', async () => {
  const [file, live] = [join(tempDir(), 'test.run'), tempFile()]
  const first = await tempStore({ file: live })
  await beginRun(first, null, new Date(5000))
  await noteRun(first, file)
  const tell = (store: OpenStore) => store.commit((tx) => emit(tx, ThingMade, { thingId: 'a' }))
  const copyRunning = () => {
    const to = join(tempDir(), 'test.sqlite')
    const database = new Database(live, { readonly: true })
    database.run('VACUUM INTO ?', [to])
    database.close()
    return to
  }
  await tell(first)
  const older = copyRunning()
  await Promise.all([tell(first), tell(first)])
  const same = copyRunning()
  await first.close()
  const isSetBack = async (from: string, atMs: number) => {
    const store = await tempStore({ file: from })
    await beginRun(store, null, new Date(atMs))
    const answer = await wasSetBack(store.read, file)
    if (answer) await noteRun(store, file)
    await store.close()
    return answer
  }
  expect(await isSetBack(same, 6000)).toBe(false)
  expect(await isSetBack(older, 7000)).toBe(true)
  expect(await isSetBack(older, 8000)).toBe(false)
  expect(statSync(file.replace('.run', '.newest.run')).mode & 0o777).toBe(0o600)
})

test('a start that failed has begun a run and not noted it: nothing was set back', async () => {
  const [store, file] = [await tempStore(), join(tempDir(), 'test.run')]
  await beginRun(store, null, new Date(5000))
  await noteRun(store, file)
  await beginRun(store, null, new Date(6000))
  await beginRun(store, null, new Date(7000))
  expect(await wasSetBack(store.read, file)).toBe(false)
})

test('an epoch lasts through starts, and ends when the database was set back', async () => {
  const [folder, live] = [tempDir(), tempFile()]
  const file = join(folder, 'test.epoch.run')
  const start = async (from: string, atMs: number) => {
    const store = await tempStore({ file: from })
    await beginRun(store, file, new Date(atMs))
    const marked = await store.commit((tx) => markChanged(tx, 'thing', 'a'))
    await store.commit((tx) => emit(tx, ThingMade, { thingId: 'a' }))
    const epoch = await epochOf(store.read)
    expect([marked.epoch, await previousRunOf(store.read)]).toEqual([epoch, expect.any(Number)])
    await store.close()
    return epoch
  }
  expect(await start(live, 1000)).toBe(1000)
  const backup = join(folder, 'backup.sqlite')
  cpSync(live, backup)
  // Starts change nothing, also by a clock that was set back.
  expect(await start(live, 2000)).toBe(1000)
  expect(await start(live, 500)).toBe(1000)
  expect(await start(backup, 3000)).toBe(3000)
  expect(await start(backup, 4000)).toBe(3000)
  // Without its run file it may be any state.
  rmSync(file)
  expect(await start(backup, 5000)).toBe(5000)
})

test('a start that fails after a restore leaves it to the next one to begin an epoch', async () => {
  const [folder, live] = [tempDir(), tempFile()]
  const file = join(folder, 'test.epoch.run')
  const first = await tempStore({ file: live })
  await beginRun(first, file, new Date(1000))
  await first.close()
  const backup = join(folder, 'backup.sqlite')
  cpSync(live, backup)
  const later = await tempStore({ file: live })
  await beginRun(later, file, new Date(2000))
  await later.close()
  const store = await tempStore({ file: backup })
  await store.commit(async (tx) =>
    runRaw(tx, "CREATE TRIGGER no BEFORE UPDATE ON meta BEGIN SELECT RAISE(ABORT, 'no'); END"),
  )
  await beginRun(store, file, new Date(3000)).catch(() => {})
  await store.commit(async (tx) => runRaw(tx, 'DROP TRIGGER no'))
  await beginRun(store, file, new Date(4000))
  expect(await epochOf(store.read)).toBe(4000)
})
