import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { removeOlder } from '../../scripts/backup/keep'

function backup(folder: string, name: string, manifest: string): void {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, 'backup.json'), manifest)
}
const takenAt = (time: string) => JSON.stringify({ takenAt: time, version: '0.1.0', files: {} })

test('all but the newest backups go, and nothing else', () => {
  const folder = tempDir()
  backup(folder, 'b', takenAt('2026-01-02T00:00:00.000Z'))
  backup(folder, 'a', takenAt('2026-01-03T00:00:00.000Z'))
  backup(folder, 'c', takenAt('2026-01-01T00:00:00.000Z'))
  mkdirSync(join(folder, 'something-else'))
  writeFileSync(join(folder, 'notes'), '')
  expect(removeOlder(folder, 3)).toEqual([])
  expect(removeOlder(folder, 1)).toEqual(['b', 'c'])
  expect(readdirSync(folder).sort()).toEqual(['a', 'notes', 'something-else'])
})

test('one whose time cannot be read stops it: nothing is removed', () => {
  const folder = tempDir()
  backup(folder, 'a', takenAt('2026-01-03T00:00:00.000Z'))
  backup(folder, 'b', '{')
  expect(() => removeOlder(folder, 1)).toThrow('is no backup')
  backup(folder, 'c', takenAt('once'))
  expect(() => removeOlder(folder, 1)).toThrow('is no backup')
  expect(readdirSync(folder).sort()).toEqual(['a', 'b', 'c'])
})
