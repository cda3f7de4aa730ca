/** `bun run doctor`: examines an installation, and says what to do. */
import { environment } from '@bursar/http/environment'
import { examineAll, textOf } from './doctor/examine-all'
import { carryOut } from './stack/complaint'
import { home } from './stack/installation'
import { readOptions } from './stack/options'
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

async function main(): Promise<void> {
  const { values } = readOptions('doctor', {
    options: {
      'data-dir': { type: 'string' },
      'time-url': { type: 'string' },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return void process.stdout.write(help)
  const dataDir = dataDirOf(values['data-dir'])
  const found = await examineAll({ home, env: environment(), dataDir, timeUrl: values['time-url'] ?? null })
  process.stdout.write(textOf(found, { isQuiet: values.quiet }))
  process.exitCode = found.some(({ verdict }) => verdict === 'wrong') ? 1 : 0
}

await carryOut(main)
