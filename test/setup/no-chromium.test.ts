// Whoever has no Chromium, and may not install one, has the tests of the console skipped, and the others count.
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { countReport } from '../../scripts/test-report'

const root = join(import.meta.dir, '../..')

test('without a Chromium every file of the console’s tests is there, and nothing in it fails', async () => {
  const names = readdirSync(join(root, 'test/console')).filter((name) => name.endsWith('.test.ts'))
  const files = names.map((name) => `test/console/${name}`)
  expect(files.length).toBeGreaterThan(9)
  const report = join(tempDir(), 'report.xml')
  const command = [process.execPath, '--no-env-file', 'test', '--reporter=junit', `--reporter-outfile=${report}`]
  const child = Bun.spawn([...command, ...files.map((file) => `./${file}`)], {
    cwd: root,
    env: { ...process.env, CHROMIUM: '' },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const code = await child.exited
  const text = await Bun.file(report).text()
  expect(countReport(text, code, files)).toEqual({ passed: expect.any(Number), failed: 0 })
  expect(Number(/ skipped="(\d+)"/.exec(text)?.[1])).toBeGreaterThan(80)
})
