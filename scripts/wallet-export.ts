/** `bun run wallet:export`: shows the words of the wallet service's seed, once, on a terminal, after a question. */
import { createInterface } from 'node:readline/promises'
import { config } from '../services/wallet/src/config'
import { passphrasesOf } from '../services/wallet/src/keys/passphrase'
import { protectMemory } from '../services/wallet/src/keys/protect-memory'
import { hasSeedFile, readMnemonic } from '../services/wallet/src/keys/seed-file'
import { runCommand } from './stack/command'

const help = `Usage: bun run wallet:export

Shows the 24 words (BIP-39) of the seed from which all wallets derive. Whoever has them has all the money. They are shown on a
separate screen that is cleared afterwards; nothing is written to a file. Works only on a terminal. Uses DATA_DIR, WALLET_SEED and
WALLET_PASSPHRASE as the wallet service does, and may run beside it.
`

/** Switches to the terminal's alternate screen, and back: its text is not kept in the scrollback. */
const otherScreen = '\u001b[?1049h\u001b[2J\u001b[H'
const ownScreen = '\u001b[?1049l'

/** What ends the command while the words are shown. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const numbered = (words: string[]): string =>
  words.map((word, i) => `${String(i + 1).padStart(2)}. ${word.padEnd(10)}${i % 4 === 3 ? '\n' : ''}`).join('')

await runCommand({ name: 'wallet:export', help }, async () => {
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Error('The words are shown on a terminal alone')
  const { dataDir, passphrase, seed } = config()
  if (seed === undefined && !hasSeedFile(dataDir))
    throw new Error(`There is no seed in ${dataDir}: the wallet service makes it at its first start`)
  protectMemory({ warn: (_, message) => process.stderr.write(`${message}\n`) })
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const interruption = new AbortController()
  for (const name of signals) process.once(name, () => interruption.abort())
  try {
    process.stdout.write('Who sees these words can take all the money. Make sure that nobody and no camera looks on.\n')
    if ((await terminal.question('Type SHOW to see them: ', interruption)).trim() !== 'SHOW') {
      process.stdout.write('Nothing was shown.\n')
      process.exitCode = 1
      return
    }
    const words = (await readMnemonic(dataDir, passphrasesOf(dataDir, passphrase), seed)).split(' ')
    process.stdout.write(`${otherScreen}${numbered(words)}\n`)
    try {
      await terminal.question('Write them down, then press Enter to clear the screen. ', interruption)
    } finally {
      // Ctrl-C and Ctrl-D end the question, too: the words must not stay.
      process.stdout.write(ownScreen)
    }
  } finally {
    terminal.close()
  }
})
