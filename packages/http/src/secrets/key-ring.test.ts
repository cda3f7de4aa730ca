import { expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { dropEndedKeys, rotateKeyFile } from './key-file'
import { openKeyRing } from './key-ring'
import { createSeal, SealBrokenError } from './sealed'

const until = new Date('2026-03-01T00:00:00Z')
const opened = (dataDir: string, now?: () => Date) =>
  openKeyRing({ dataDir, file: 'some.key', ...(now ? { now } : {}) })
const ids = (ring: { keys(): readonly { id: string }[] }) => ring.keys().map(({ id }) => id)

test('what the next key has sealed opens at once, before the change was noticed', () => {
  const folder = tempDir()
  const [early, late] = [createSeal(opened(folder)), createSeal(opened(folder))]
  const old = early.seal('x', 'p')
  rotateKeyFile(folder, 'some.key', until)
  late.ring.refresh()
  const fresh = late.seal('x', 'p')
  expect(fresh.split('.')[1]).not.toBe(old.split('.')[1])
  expect([early.open(fresh, 'p'), late.open(old, 'p')]).toEqual(['x', 'x'])
  // Having read it, it seals by the new one, too.
  expect(early.seal('x', 'p').split('.')[1]).toBe(fresh.split('.')[1])
})

test('is renewed by the newest key alone, and only once', () => {
  const folder = tempDir()
  const seal = createSeal(opened(folder))
  const old = seal.seal('x', 'p')
  expect(seal.renew(old, 'p')).toBeNull()
  rotateKeyFile(folder, 'some.key', until)
  seal.ring.refresh()
  const renewed = seal.renew(old, 'p') ?? ''
  expect([seal.open(renewed, 'p'), seal.renew(renewed, 'p')]).toEqual(['x', null])
  expect(() => seal.renew(old, 'q')).toThrow(SealBrokenError)
})

test('with a clock a key ends at its time, and without one when it is removed', () => {
  const folder = tempDir()
  let now = new Date(until.getTime() - 1)
  const [timed, kept] = [opened(folder, () => now), opened(folder)]
  const [first] = ids(kept)
  rotateKeyFile(folder, 'some.key', until)
  for (const ring of [timed, kept]) expect([ring.refresh(), ring.refresh()]).toEqual([true, false])
  expect(ids(timed)).toEqual(ids(kept))
  expect(timed.all()).toHaveLength(2)
  now = until
  expect([timed.all().length, kept.all().length]).toEqual([1, 2])
  expect([timed.find(first ?? ''), kept.find(first ?? '')?.id]).toEqual([undefined, first])
  dropEndedKeys(folder, 'some.key', until)
  expect(kept.refresh()).toBe(true)
  expect(kept.find(first ?? '')).toBeUndefined()
})

test('a file that is damaged or gone while the service runs changes nothing', () => {
  const folder = tempDir()
  const ring = opened(folder)
  const known = ids(ring)
  writeFileSync(join(folder, 'some.key'), 'damaged')
  expect([ring.refresh(), ids(ring)]).toEqual([false, known])
  rmSync(join(folder, 'some.key'))
  expect([ring.refresh(), ids(ring)]).toEqual([false, known])
})

test('a setting may have several keys, newest first', () => {
  const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const ring = openKeyRing({
    dataDir: '/nowhere',
    file: 'some.key',
    given: { name: 'SOME_KEY', value: `${one.toString('base64')}, ${two.toString('base64')}\n` },
  })
  expect(ring.all()).toEqual([one, two])
  expect([ring.folder, ring.refresh()]).toEqual([null, false])
})

test.each([',', ' ', 'c2hvcnQ=', `${Buffer.alloc(32, 1).toString('base64')},c2hvcnQ=`])(
  'a setting of "%s" is refused by its name',
  (value) => {
    const given = { name: 'SOME_KEY', value }
    expect(() => openKeyRing({ dataDir: '/nowhere', file: 'some.key', given })).toThrow('SOME_KEY must hold 32 bytes')
  },
)

test('an older file than what was sealed says which key is missing', () => {
  const [folder, older] = [tempDir(), tempDir()]
  const seal = createSeal(opened(folder))
  const sealed = seal.seal('x', 'p')
  const other = createSeal(opened(older))
  expect(() => other.open(sealed, 'p')).toThrow(`some.key lacks the key ${ids(seal.ring)[0]}`)
})
