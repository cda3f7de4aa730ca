import { expect, test } from 'bun:test'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { lineOutput } from './line-output'

test('lines on their way out are written when it has settled', async () => {
  const file = join(tempDir(), 'log')
  const output = lineOutput(openSync(file, 'w'))
  const lines = Array.from({ length: 200 }, (_, i) => `${i} ${'x'.repeat(100)}\n`)
  for (const line of lines) output.write(line)
  output.flush()
  await output.settled()
  output.flush()
  await output.settled()
  expect(readFileSync(file, 'utf8')).toBe(lines.join(''))
})
