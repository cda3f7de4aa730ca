import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { beginEpoch, emit, noteRun, type OpenStore, wasSetBack, writeRunFile } from '../src/index'
import { ThingMade, tempFile, tempStore } from './harness'

test('a database was set back where its run file does not know its last epoch, or knows a later one', async () => {
  const [store, file] = [await tempStore(), join(tempDir(), 'test.run')]
  const isSetBack = () => wasSetBack(store.read, file)
  await beginEpoch(store, new Date(5000))
  expect(await isSetBack()).toBe(false)
  await noteRun(store, file)
  await beginEpoch(store, new Date(6000))
  expect(await isSetBack()).toBe(false)

  await writeRunFile(file, 5001)
  expect(await isSetBack()).toBe(true)
  writeFileSync(file, '5000 and something')
  expect(await isSetBack()).toBe(true)
  rmSync(file)
  expect(await isSetBack()).toBe(true)
  await noteRun(store, file)
  await beginEpoch(store, new Date(7000))
  expect(await isSetBack()).toBe(false)
})

test('a copy of the same run was set back when an event was committed since, and no other is', async () => {
  const [file, live] = [join(tempDir(), 'test.run'), tempFile()]
  const first = await tempStore({ file: live })
  await beginEpoch(first, new Date(5000))
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
    await beginEpoch(store, new Date(atMs))
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

test('a start that failed has begun an epoch and not noted it: nothing was set back', async () => {
  const [store, file] = [await tempStore(), join(tempDir(), 'test.run')]
  await beginEpoch(store, new Date(5000))
  await noteRun(store, file)
  await beginEpoch(store, new Date(6000))
  await beginEpoch(store, new Date(7000))
  expect(await wasSetBack(store.read, file)).toBe(false)
})
