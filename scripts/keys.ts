/** `bun run keys`: writes the keys and the wallets' seed of an installation as settings. */
import { resolve } from 'node:path'
import { environment } from '@bursar/http/environment'
import { ownSettings } from './keys/own-settings'
import { settingLine, writeNew } from './keys/settings-file'
import { dataDirOption, runCommand } from './stack/command'
import { usageError } from './stack/options'
import { dataDirOf } from './stack/place'

const help = `Usage: bun run keys <file> [--new] [--data-dir <folder>]

Writes the settings that hold the installation's keys, the wallets' seed and its passphrase into a new file, for its owner alone, as
lines of .env: what services need where they run with DATABASE_URL, which makes none. Keep it as secret as the wallets. Each is taken
from its setting where that is set, else from its file in the data folder.

  --new                 makes those that are neither: for a new installation with DATABASE_URL
  --data-dir <folder>   where the keys are (DATA_DIR, or data)
  --help                this text
`

const options = { new: { type: 'boolean', default: false }, ...dataDirOption } as const

await runCommand({ name: 'keys', help, options, takesWords: true }, async (values, [file, ...others]) => {
  if (!file || others.length > 0) throw usageError('keys', 'Name one new file')
  const env = environment()
  const dataDir = dataDirOf(values['data-dir'])
  const settings = await ownSettings({ env, dataDir, mayMake: values.new, now: new Date() })
  // In full: the executable takes a path from its own folder, and the seed must be found where it is.
  const path = resolve(file)
  writeNew(path, settings.map(({ name, value }) => settingLine(name, value)).join(''))
  const from = settings.map(({ name, from: source }) => `  ${name.padEnd(24)}${source}`)
  return [`${path} has:`, ...from].join('\n')
})
