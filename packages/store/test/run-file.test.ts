import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { beginEpoch, noteRun, wasSetBack, writeRunFile } from '../src/index'
import { tempStore } from './harness'

test('a database was set back where its run file does not know its last epoch, or knows a later one', async () => {
  const [store, file] = [await tempStore(), join(tempDir(), 'test.run')]
  const isSetBack = () => wasSetBack(store.read, file)
  await beginEpoch(store, new Date(5000))
  expect(await isSetBack()).toBe(false)
  await noteRun(store.read, file)
  await beginEpoch(store, new Date(6000))
  expect(await isSetBack()).toBe(false)

  await writeRunFile(file, 5001)
  expect(await isSetBack()).toBe(true)
  writeFileSync(file, '5000 and something')
  expect(await isSetBack()).toBe(true)
  rmSync(file)
  expect(await isSetBack()).toBe(true)
  await noteRun(store.read, file)
  await beginEpoch(store, new Date(7000))
  expect(await isSetBack()).toBe(false)
})

test('a start that failed has begun an epoch and not noted it: nothing was set back', async () => {
  const [store, file] = [await tempStore(), join(tempDir(), 'test.run')]
  await beginEpoch(store, new Date(5000))
  await noteRun(store.read, file)
  await beginEpoch(store, new Date(6000))
  await beginEpoch(store, new Date(7000))
  expect(await wasSetBack(store.read, file)).toBe(false)
})
