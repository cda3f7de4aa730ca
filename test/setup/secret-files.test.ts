// Each service takes its secrets from files, as .env.example says.
import { afterEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceConfig } from '@bursar/http'
import { tempDir } from '@bursar/testing'
import { builtServices } from '@bursar/testing/platform'

const given = process.env.INTERNAL_SECRET
afterEach(() => {
  delete process.env.INTERNAL_SECRET_FILE
  if (given !== undefined) process.env.INTERNAL_SECRET = given
})

test.each(builtServices())('%s reads INTERNAL_SECRET_FILE', async (name) => {
  const { config }: { config(): ServiceConfig } = await import(join('../../services', name, 'src/config'))
  const path = join(tempDir(), 'secret')
  writeFileSync(path, 'a secret of a file\n')
  delete process.env.INTERNAL_SECRET
  process.env.INTERNAL_SECRET_FILE = path
  expect(config().internalSecret).toBe('a secret of a file')
  process.env.INTERNAL_SECRET = 'another'
  expect(() => config()).toThrow('INTERNAL_SECRET and INTERNAL_SECRET_FILE are both set')
  delete process.env.INTERNAL_SECRET
})
