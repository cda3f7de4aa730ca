/** `bun run status`: what runs, since when, how it is, and the newest backup. */
import { serviceNames } from '@bursar/contracts/services'
import { environment } from '@bursar/http/environment'
import { lastBackupOf } from '@bursar/store/last-backup'
import { dataDirOption, runCommand } from './stack/command'
import { dataDirOf } from './stack/place'
import { addressesOf } from './stack/procfile'
import { type Health, readHealth } from './stack/read-health'
import { runnerOf } from './stack/stack-lock'

const help = `Usage: bun run status [--data-dir <folder>]

Shows what runs on the data folder and since when, the health of each service, and when the last backup was taken.

  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --help                this text

Exit code: 0 when all services work, also with work that waits for a person; 1 when one does not; 3 when nothing runs.
`

function runnerLine(dataDir: string, runs: boolean): string {
  const runner = runnerOf(dataDir)
  if (runner)
    return `Bursar runs on ${dataDir} since ${runner.since.toISOString()} (${spanSince(runner.since)}, process ${runner.pid}).`
  return runs ? `Services run, but no runner on ${dataDir}.` : `Nothing runs on ${dataDir}.`
}

const words: Record<Health['state'], string> = { ok: 'ok', waits: 'waits', fails: 'FAILS', down: 'DOWN' }

function stateLine({ name, url, state, error, waiting }: Health & { name: string; url: string }): string {
  const [first = '', ...others] = error === null ? waiting : [error, ...waiting]
  const lines = [`  ${name.padEnd(20)} ${words[state].padEnd(6)} ${url}  ${first}`.trimEnd()]
  return [...lines, ...others.map((text) => `  ${''.padEnd(27)} ${text}`)].join('\n')
}

function backupLine(dataDir: string): string {
  const { takenAt, copiedAt } = lastBackupOf(dataDir)
  if (takenAt === null) return 'No backup was ever taken: bun run backup'
  const elsewhere = copiedAt === null ? '' : `; the last one elsewhere is of ${copiedAt}`
  return `The newest backup is of ${takenAt} (${spanSince(new Date(takenAt))} old)${elsewhere}.`
}

/** `3 d 4 h`, `4 h 5 min`, `5 min`. */
function spanSince(time: Date): string {
  const minutes = Math.max(0, Math.floor((Date.now() - time.getTime()) / 60_000))
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${rest} min` : `${rest} min`
}

await runCommand({ name: 'status', help, options: dataDirOption }, async (values) => {
  const env = environment()
  const dataDir = dataDirOf(values['data-dir'])
  const addresses = addressesOf(serviceNames, env)
  const states = await Promise.all(addresses.map(async (address) => ({ ...address, ...(await readHealth(address)) })))
  const runs = states.some(({ state }) => state !== 'down')
  const lines = [runnerLine(dataDir, runs), ...(runs ? states.map(stateLine) : [])]
  // A server has its own.
  if (!env.DATABASE_URL) lines.push(backupLine(dataDir))
  process.exitCode = !runs ? 3 : states.every(({ state }) => state === 'ok' || state === 'waits') ? 0 : 1
  return lines.join('\n')
})
