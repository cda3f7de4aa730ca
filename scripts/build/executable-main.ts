// What the executable of `bun run build --executable` runs: its first word is a command.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { home } from '../stack/installation'
import { settingsOf } from '../stack/settings-lines'

const help = `Usage: bursar <command> [options]

  start                  all services, and a Redis of its own unless REDIS_URL is set
  stop                   stops them in order
  restart                restarts services one after another; no request is lost
  status                 what runs, since when, and the newest backup
  doctor                 examines the installation, and says what to do
  backup, restore        copies of all databases and keys; restore --drill tries one
  move, keys             copies stopped files to a PostgreSQL server; writes the keys as settings
  audit, reconcile       whether the books are right, and agree with wallet and chains
  events                 events that a service could not handle
  wallet:held            orders that wait for a person
  wallet:export          the words of the wallets' seed
  sanctions:update       the current OFAC list
  rotate                 replaces a secret while the services run
  db                     reads a service's database

bursar <command> --help says more. Settings come from the environment and from a file .env in BURSAR_HOME, the folder of the
executable unless it is set; data and backups lie there, too, and relative paths of settings and options begin there.
`

/** Each is a script that runs when it is imported. */
const commands: Record<string, () => Promise<unknown>> = {
  start: () => import('../run-stack'),
  stop: () => import('../stop'),
  restart: () => import('../restart'),
  status: () => import('../status'),
  doctor: () => import('../doctor'),
  backup: () => import('../backup'),
  restore: () => import('../restore'),
  move: () => import('../move'),
  keys: () => import('../keys'),
  audit: () => import('../audit'),
  reconcile: () => import('../reconcile'),
  events: () => import('../events'),
  'wallet:held': () => import('../wallet-held'),
  'wallet:export': () => import('../wallet-export'),
  'sanctions:update': () => import('../sanctions-update'),
  rotate: () => import('../rotate'),
  db: () => import('../db'),
  // What `start` runs.
  service: () => import('../all'),
}

/** The environment wins over .env, which is read as Bun reads that of a checkout. */
function readSettings(): void {
  const file = join(home, '.env')
  const settings = existsSync(file) ? settingsOf(readFileSync(file, 'utf8'), process.env) : {}
  // Libraries and the gateway's settings ask for it.
  const mode = { NODE_ENV: 'production' }
  for (const [name, value] of Object.entries({ ...settings, ...mode })) process.env[name] ??= value
}

const [, , name = '--help'] = process.argv
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command) {
  process.argv.splice(2, 1)
  process.chdir(home)
  readSettings()
  await command()
} else {
  const isAsked = name === '--help' || name === '-h'
  process.stderr.write(isAsked ? '' : `There is no command ${name}.\n\n`)
  process.stdout.write(help)
  process.exitCode = isAsked ? 0 : 1
}
