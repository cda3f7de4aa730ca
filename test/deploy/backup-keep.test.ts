import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { removeOlder } from '../../scripts/backup/keep'

function backup(folder: string, name: string, manifest: string): void {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'backup.json'), manifest)
}
const takenAt = (time: string) => JSON.stringify({ takenAt: time, version: '0.1.0', files: {} })

const now = Date.parse('2026-01-03T00:00:00.000Z')

test('all but the newest backups go, and nothing else', () => {
  const folder = tempDir()
  backup(folder, 'b', takenAt('2026-01-02T00:00:00.000Z'))
  backup(folder, 'a', takenAt('2026-01-03T00:00:00.000Z'))
  backup(folder, 'c', takenAt('2026-01-01T00:00:00.000Z'))
  mkdirSync(join(folder, 'something-else'))
  writeFileSync(join(folder, 'notes'), '')
  expect(removeOlder(folder, 3, now)).toEqual([])
  expect(removeOlder(folder, 1, now)).toEqual(['b', 'c'])
  expect(readdirSync(folder).sort()).toEqual(['a', 'notes', 'something-else'])
})

test('those of a clock that was ahead go before the one that was just taken, and before all others', () => {
  const folder = tempDir()
  backup(folder, 'ahead', takenAt('2027-01-01T00:00:00.000Z'))
  backup(folder, 'far-ahead', takenAt('2031-01-01T00:00:00.000Z'))
  backup(folder, 'before', takenAt('2026-01-02T00:00:00.000Z'))
  backup(folder, 'now', takenAt('2026-01-03T00:00:00.000Z'))
  expect(removeOlder(folder, 3, now)).toEqual(['ahead'])
  expect(removeOlder(folder, 1, now)).toEqual(['before', 'far-ahead'])
  expect(readdirSync(folder)).toEqual(['now'])
})

test.each([0, 1, 2])('a removal that was killed after %p files is ended by the next', (files) => {
  const folder = tempDir()
  backup(folder, 'a', takenAt('2026-01-03T00:00:00.000Z'))
  backup(folder, 'b', takenAt('2026-01-02T00:00:00.000Z'))
  for (const name of ['a.key', 'core.sqlite']) writeFileSync(join(folder, 'b', name), '')
  let left = files
  const killed: typeof rmSync = (path, options) => {
    if (left === 0) throw new Error('killed')
    left -= 1
    rmSync(path, options)
  }
  expect(() => removeOlder(folder, 1, now, killed)).toThrow('killed')
  expect(removeOlder(folder, 1, now)).toEqual(['b'])
  expect(readdirSync(folder)).toEqual(['a'])
})

test.each(['{', takenAt('once')])('one that says %s stops it: nothing is removed', (manifest) => {
  const folder = tempDir()
  backup(folder, 'a', takenAt('2026-01-03T00:00:00.000Z'))
  backup(folder, 'b', takenAt('2026-01-02T00:00:00.000Z'))
  backup(folder, 'c', manifest)
  expect(() => removeOlder(folder, 1, now)).toThrow('is no backup')
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c'])
})
