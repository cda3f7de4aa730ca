import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { tempDir, until } from '@bursar/testing'
import { createSeedFile, newSeed, readMnemonic } from '../src/keys/seed-file'
import { cheap, passphrase } from './harness'

const script = join(import.meta.dir, '../../../scripts/wallet-export.ts')
const env = (dataDir: string) => ({ PATH: process.env.PATH ?? '', DATA_DIR: dataDir, WALLET_PASSPHRASE: passphrase })

/** Starts it on a terminal. */
function open(dataDir: string, settings: Record<string, string> = {}) {
  let shown = ''
  const closed = Promise.withResolvers<void>()
  const data = (_: unknown, bytes: Uint8Array) => {
    shown += Buffer.from(bytes).toString()
  }
  const child = Bun.spawn([process.execPath, script], {
    env: { ...env(dataDir), ...settings },
    terminal: { cols: 120, rows: 40, data, exit: () => closed.resolve() },
  })
  return { child, shown: () => shown, closed: closed.promise }
}

/** Runs it on a terminal, and answers its questions. */
async function onTerminal(dataDir: string, answers: Record<string, string>, settings?: Record<string, string>) {
  const { child, shown, closed } = open(dataDir, settings)
  for (const [question, answer] of Object.entries(answers)) {
    await until(() => shown().includes(question))
    child.terminal?.write(`${answer}\n`)
  }
  const code = await child.exited
  // Its last words may come after its end.
  await closed
  return { code, shown: shown() }
}

const confirmed = { 'Type SHOW': 'SHOW', 'press Enter': '' }

/** The words on the temporary screen. */
function wordsOn(shown: string): string {
  const screen = shown.slice(shown.indexOf('\u001b[?1049h'), shown.indexOf('\u001b[?1049l'))
  return [...screen.matchAll(/\d+\. ([a-z]+)/g)].map(([, word]) => word).join(' ')
}

test('shows the words after confirmation, on a temporary screen', async () => {
  const dataDir = tempDir()
  await createSeedFile(dataDir, passphrase, cheap)
  const { code, shown } = await onTerminal(dataDir, confirmed)
  expect([code, wordsOn(shown)]).toEqual([0, await readMnemonic(dataDir, [passphrase])])
})

test('shows those of a seed that is a setting', async () => {
  const seed = await newSeed(passphrase, cheap)
  const { code, shown } = await onTerminal(tempDir(), confirmed, { WALLET_SEED: seed })
  expect([code, wordsOn(shown)]).toEqual([0, await readMnemonic('', [passphrase], seed)])
})

test.each(['Ctrl-C', 'Ctrl-D', 'SIGTERM', 'SIGHUP'])('%s takes the words off the screen', async (how) => {
  const dataDir = tempDir()
  await createSeedFile(dataDir, passphrase, cheap)
  const { child, shown } = open(dataDir)
  await until(() => shown().includes('Type SHOW'))
  child.terminal?.write('SHOW\n')
  await until(() => shown().includes('press Enter'))
  if (how === 'Ctrl-C') child.terminal?.write('\u0003')
  else if (how === 'Ctrl-D') child.terminal?.write('\u0004')
  else child.kill(how as NodeJS.Signals)
  expect(await child.exited).toBe(1)
  await until(() => shown().includes('\u001b[?1049l'), { what: 'the own screen' })
})

test('shows nothing for any other answer, without a seed, or away from a terminal', async () => {
  const dataDir = tempDir()
  await createSeedFile(dataDir, passphrase, cheap)
  const words = (await readMnemonic(dataDir, [passphrase])).split(' ')
  const refused = await onTerminal(dataDir, { 'Type SHOW': 'yes' })
  expect(refused.code).toBe(1)
  // What it says itself is made of plain words too, and the seed may have one of them by chance.
  const said = [
    'Who sees these words can take all the money. Make sure that nobody and no camera looks on.',
    'Type SHOW to see them: ',
    'Nothing was shown.',
  ]
  for (const own of said) expect(refused.shown).toContain(own)
  const rest = said.reduce((shown, own) => shown.replaceAll(own, ' '), refused.shown)
  for (const word of words) expect(rest).not.toMatch(new RegExp(`\\b${word}\\b`))

  const none = await onTerminal(tempDir(), {})
  expect([none.code, none.shown]).toEqual([1, expect.stringContaining('There is no seed in')])

  const piped = Bun.spawnSync([process.execPath, script], { env: env(dataDir), stdin: Buffer.from('SHOW\n\n') })
  expect([piped.exitCode, piped.stdout.toString()]).toEqual([1, ''])
  expect(piped.stderr.toString()).toBe('The words are shown on a terminal alone\n')
})
