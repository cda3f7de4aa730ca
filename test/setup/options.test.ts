// What commands say of options that they do not have.
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { tempDir } from '@bursar/testing'
import { readOptions } from '../../scripts/stack/options'
import { runCommand } from '../commands'

const read = (...args: string[]) => readOptions('status', { args, options: { keep: { type: 'string' } } })

test.each([
  [['--what'], 'There is no option --what. See bun run status --help'],
  [['-x'], 'There is no option -x. See bun run status --help'],
  [['extra'], '"extra" is not understood. See bun run status --help'],
  [['--keep'], "Option '--keep <value>' argument missing. See bun run status --help"],
])('%j is refused in one sentence', (args, sentence) => {
  expect(() => read(...args)).toThrow(new Error(sentence))
})

test('those that it has are read', () => {
  expect(read('--keep', '3').values).toEqual({ keep: '3' })
})

test('a command names what is wrong with its words, and where all options are listed', async () => {
  const env = { PATH: process.env.PATH }
  for (const [name, args, sentence] of [
    ['backup', ['one', 'another'], 'Name one folder. See bun run backup --help\n'],
    ['restore', [], 'Name one backup. See bun run restore --help\n'],
    ['keys', [], 'Name one new file. See bun run keys --help\n'],
    ['listen', [], 'The address of the program is missing, or is none. See bun run listen --help\n'],
  ] as const) {
    expect(await runCommand(name, args, { env })).toMatchObject({ code: 1, out: '', error: sentence })
  }
  for (const [name, spoken] of [
    ['backup', 'backup'],
    ['wallet-held', 'wallet:held'],
    ['doctor', 'doctor'],
  ] as const) {
    const error = `There is no option --what. See bun run ${spoken} --help\n`
    expect(await runCommand(name, ['--what'], { env })).toMatchObject({ code: 1, out: '', error })
  }
  const error = '"extra" is not understood. See bun run doctor --help\n'
  expect(await runCommand('doctor', ['extra'], { env })).toMatchObject({ code: 1, out: '', error })
})

test('a command that asks the services makes no secret where they have none', async () => {
  const DATA_DIR = tempDir()
  expect(await runCommand('wallet-held', [], { env: { PATH: process.env.PATH, DATA_DIR } })).toMatchObject({
    code: 1,
    error: `There is no internal.secret in ${DATA_DIR}: is DATA_DIR the folder of the services?\n`,
  })
  expect(readdirSync(DATA_DIR)).toEqual([])
})
