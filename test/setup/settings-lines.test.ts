// What is said of lines of .env that Bun reads otherwise than they look; each is given to Bun itself as well, and to the
// executable's reader.
import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { tempDir } from '@bursar/testing'
import { settingLine } from '../../scripts/keys/settings-file'
import { oddLines, settingsOf } from '../../scripts/stack/settings-lines'
import { runCommand } from '../commands'

const said = (text: string) => oddLines([{ name: '.env', text }], { HOME: '/srv' })

/** The settings that a program has from such a file. */
function read(text: string | Buffer): Record<string, string> {
  const folder = tempDir()
  writeFileSync(join(folder, '.env'), text)
  const program = 'process.stdout.write(JSON.stringify(process.env))'
  const ran = Bun.spawnSync([process.execPath, '-e', program], { cwd: folder, env: { HOME: '/srv' } })
  const { HOME: _, ...settings } = JSON.parse(ran.stdout.toString())
  return settings
}

test.each<[text: string, settings: Record<string, string>]>([
  ['A=1\r\n\r\n# B=2\r\nC=3\r\n', { A: '1', C: '3' }],
  ['\uFEFFA=1\nB: 2\n', { A: '1', B: '2' }],
  ['export A = 1\nB="2 # 3"\n', { A: '1', B: '2 # 3' }],
  ['A=1 # about it\nB="2" # about that\n', { A: '1', B: '2' }],
  ['A=a\\$b\nB="c\\$d"\nC=$ 5$\n', { A: 'a$b', B: 'c$d', C: '$ 5$' }],
  ['A=$HOME/x\nB=$A/y\n', { A: '/srv/x', B: '/srv/x/y' }],
  ['A="pa#ss"\n', { A: 'pa#ss' }],
  [`B=\${LATER}-$A\nLATER=5\nA=1\n`, { B: '5-1', LATER: '5', A: '1' }],
  [`A=\${nope:-x}\nB=\${nope:-}y\n`, { A: 'x', B: 'y' }],
])('%j is read as it looks', (text, settings) => {
  expect(read(text)).toEqual(settings)
  expect(settingsOf(text, { HOME: '/srv' })).toEqual(settings)
  expect(said(text)).toEqual([])
})

test.each<[text: string, settings: Record<string, string>, sentence: string]>([
  ['A 1\n', {}, '.env, line 1 is no setting and changes nothing: write NAME=value.'],
  ['B=1\nA:1\n', { B: '1' }, '.env, line 2 is no setting and changes nothing: write NAME=value.'],
  ['A=1\nB=2\nA=3\n', { A: '3', B: '2' }, '.env sets A in lines 1 and 3: the last one holds.'],
  ['A=pa#ss\n', { A: 'pa' }, '.env, line 1: A ends at its #: put the value into double quotes.'],
  ['A=pa#ss # x\n', { A: 'pa' }, '.env, line 1: A ends at its #: put the value into double quotes.'],
  ['A=pa$word1\n', { A: 'pa' }, '.env, line 1: A loses a $ and the word behind it, which is no variable: write \\$.'],
  ["A='pa$word'\n", { A: 'pa' }, '.env, line 1: A loses a $ and the word behind it, which is no variable: write \\$.'],
  ['A=$nope:-x\n', { A: ':-x' }, '.env, line 1: A loses a $ and the word behind it, which is no variable: write \\$.'],
  [
    'A=$HOME$word1\n',
    { A: '/srv' },
    '.env, line 1: A loses a $ and the word behind it, which is no variable: write \\$.',
  ],
  [
    'A="x\nB=1\nC="\n',
    { A: 'x\nB=1\nC=' },
    '.env, line 1: A begins with " and does not end with it: lines after it may be lost; close it, or leave it out.',
  ],
])('%j is warned of', (text, settings, sentence) => {
  expect(read(text)).toEqual(settings)
  expect(settingsOf(text, { HOME: '/srv' })).toEqual(settings)
  expect(said(text)[0]).toBe(sentence)
})

test('the executable puts variables in their place as Bun does', () => {
  const text = `A='$HOME'\nB=\${LATER}-$A\nLATER=5\nC=\${nope:-x}\nD=$\nE=$$HOME\nF=\${HOME\n`
  expect(settingsOf(text, { HOME: '/srv' })).toEqual(read(text))
})

test.each(['a=1/+', 'two words', 'a#b', ' a ', 'a"b`c', 'a\\nb', '$', 'a$ b', 'é'])(
  '%j as bun run keys writes it',
  (value) => {
    const line = settingLine('A', value)
    expect(read(line)).toEqual({ A: value })
    expect(settingsOf(line, {})).toEqual({ A: value })
    expect(said(line)).toEqual([])
  },
)

test.each(["it's", 'a\nb', 'a\r', 'pa$word', `pa$${'{word}'}`, 'pa$1', 'a\\$ b', 'a\\'])(
  '%j is written by nobody',
  (value) => {
    expect(() => settingLine('A', value)).toThrow('a line of .env cannot hold: give it as a file, by A_FILE')
  },
)

test('a file of two-byte characters is read by nobody', () => {
  expect(read(Buffer.from('\uFEFFA=1\n', 'utf16le'))).toEqual({})
  expect(said('\uFFFDA\0=\u00001\0\n')).toEqual(['.env is not UTF-8, so that none of it is read: save it as UTF-8.'])
})

test('bun run keys says in full where the seed lies: it takes a path from its own folder', async () => {
  const file = join(tempDir(), 'keys.env')
  const named = relative(dirname(dirname(import.meta.dir)), file)
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: tempDir() }
  const { code, out } = await runCommand('keys', [named, '--new'], { env })
  expect([code, out.split('\n', 1)[0], existsSync(file)]).toEqual([0, `${file} has:`, true])
})
