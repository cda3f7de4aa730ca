/** `bun run doctor`: examines an installation, and says what to do. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { environment } from '@bursar/http/environment'
import { examineArchive } from './doctor/archive'
import { examineClock } from './doctor/clock'
import { examineDisk, examinePermissions } from './doctor/data-folder'
import { type Examination, type Finding, messageOf, type Patient } from './doctor/finding'
import { examineKeys } from './doctor/keys'
import { examineMail } from './doctor/mail'
import { examineNodes } from './doctor/nodes'
import { examineRedis } from './doctor/redis'
import { examineServices } from './doctor/services'
import { examineSettings } from './doctor/settings'
import { home } from './stack/installation'
import { dataDirOf } from './stack/redis'

const help = `Usage: bun run doctor [--data-dir <folder>] [--time-url <url>] [--quiet]

Examines the installation: settings, permissions, disk, archive, keys, clock, Redis, nodes, mail server, ports, and services that run.
Each finding says what is the case and what to do. It changes nothing; run it as the user who runs the services, before the
first start, after an upgrade, and when something is wrong.

  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --time-url <url>      a web server whose clock is right: the machine's is compared with it, as it is with the nodes'
  --quiet               prints warnings and faults alone
  --help                this text

Exit code: 0, also with warnings; 1 when something is wrong.
`

const examinations: [about: string, examine: Examination][] = [
  ['settings', examineSettings],
  ['permissions', examinePermissions],
  ['disk', examineDisk],
  ['archive', examineArchive],
  ['keys', examineKeys],
  ['clock', examineClock],
  ['redis', examineRedis],
  ['nodes', examineNodes],
  ['mail', examineMail],
  ['ports', examineServices],
]

/** All findings, in the order of the examinations; one that fails is a finding as well. */
async function examineAll(patient: Patient): Promise<Finding[]> {
  const all = examinations.map(([about, examine]) =>
    examine(patient).catch((error: unknown): Finding[] => [{ verdict: 'wrong', about, says: messageOf(error) }]),
  )
  return (await Promise.all(all)).flat()
}

const lineOf = ({ verdict, about, says }: Finding): string => `${verdict.padEnd(8)} ${about.padEnd(12)} ${says}\n`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'data-dir': { type: 'string' },
      'time-url': { type: 'string' },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return void process.stdout.write(help)
  const dataDir = values['data-dir'] === undefined ? dataDirOf(home, process.env) : resolve(values['data-dir'])
  const found = await examineAll({ home, env: environment(), dataDir, timeUrl: values['time-url'] ?? null })
  const count = (verdict: Finding['verdict']) => found.filter((finding) => finding.verdict === verdict).length
  const shown = found.filter(({ verdict }) => verdict !== 'ok' || !values.quiet)
  process.stdout.write(`${shown.map(lineOf).join('')}${count('wrong')} wrong, ${count('warning')} warnings\n`)
  process.exitCode = count('wrong') > 0 ? 1 : 0
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${messageOf(error)}; bun run doctor --help\n`)
  process.exitCode = 1
}
