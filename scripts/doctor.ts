/** `bun run doctor`: examines an installation, and says what to do. */
import { environment } from '@bursar/http/environment'
import { examineAll, textOf } from './doctor/examine-all'
import { dataDirOption, runCommand } from './stack/command'
import { home } from './stack/installation'
import { dataDirOf } from './stack/place'

const help = `Usage: bun run doctor [--data-dir <folder>] [--time-url <url>] [--quiet]

Examines the installation: settings, permissions, disk, restores, database server, archive, keys, backups, clock, Redis,
nodes, mail server, machine, sockets, ports, and services that run. Each finding says what is the case and what to do. It
changes nothing; run it as the user who runs the services, before the first start, after an upgrade, and when something is wrong.

  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --time-url <url>      a web server whose clock is right: the machine's is compared with it, as it is with the nodes'
  --quiet               prints warnings and faults alone
  --help                this text

Exit code: 0, also with warnings; 1 when something is wrong.
`

const options = {
  ...dataDirOption,
  'time-url': { type: 'string' },
  quiet: { type: 'boolean', default: false },
} as const

await runCommand({ name: 'doctor', help, options }, async (values) => {
  const dataDir = dataDirOf(values['data-dir'])
  const found = await examineAll({ home, env: environment(), dataDir, timeUrl: values['time-url'] ?? null })
  process.stdout.write(textOf(found, { isQuiet: values.quiet }))
  process.exitCode = found.some(({ verdict }) => verdict === 'wrong') ? 1 : 0
})
