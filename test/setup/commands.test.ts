import { expect, test } from 'bun:test'
import { runCommand, sourcesOfCommands } from '../commands'
import { sourcesOfExecutable } from '../executable'

test('a compiled command depends on its script, on services and on packages, and on no test', () => {
  const sources = sourcesOfCommands()
  const needed = [
    'package.json',
    'packages/http/package.json',
    'scripts/doctor.ts',
    'scripts/doctor/keys.ts',
    'services/quote/src/config.ts',
  ]
  expect(sources).toEqual(expect.arrayContaining([...needed, 'packages/store/src/restore/backup.ts']))
  expect(sources.filter((path) => path.includes('.test.'))).toEqual([])
})

test('the executable depends on what it brings along besides: pages, migrations, lists', () => {
  const sources = sourcesOfExecutable()
  const needed = [
    '.env.example',
    'packages/console/index.html',
    'packages/console/src/main.tsx',
    'services/identity-manager/src/passwords/common-passwords.txt',
    'services/message/migrations/sqlite/meta/_journal.json',
  ]
  expect(sources).toEqual(expect.arrayContaining([...needed, ...sourcesOfCommands()]))
  expect(sources.some((path) => /^services\/sanctions\/ofac\/.*\.txt$/.test(path))).toBe(true)
})

test('a command runs with its arguments and its environment alone, and its output, complaint and exit code come back', async () => {
  const env = { PATH: process.env.PATH, BURSAR_API_KEY: '' }
  expect(await runCommand('trigger', ['payment.created'], { env })).toMatchObject({
    code: expect.any(Number),
    out: '',
    error: expect.stringContaining('BURSAR_API_KEY is missing'),
  })
  expect(await runCommand('doctor', ['--help'], { env })).toMatchObject({
    code: 0,
    out: expect.stringContaining('bun run doctor'),
    error: '',
  })
})
