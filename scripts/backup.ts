/** `bun run backup`: a consistent copy of all databases and keys, taken while the services run. */
import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openInternalSecret } from '@bursar/http'
import { environment } from '@bursar/http/environment'
import { auditCopy } from './backup/audit-copy'
import { databasesIn } from './backup/contents'
import { removeOlder } from './backup/keep'
import { takeBackup } from './backup/take-backup'
import { problemWithRedis, redisUrlOf, withoutPassword } from './stack/redis'

const help = `Usage: bun run backup [folder] [--data-dir <folder>] [--keep <n>] [--without-redis]

Copies all databases of one moment, the keys, and the events that wait in Redis into a new folder (backups/<time> unless
given), while the services run: commits wait for some milliseconds. Then it audits the copy; if the audit fails, no folder is
left. Keep the backup as secret as the data folder: it has the keys.

  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --keep <n>            once it has succeeded, removes all backups beside it but the n newest, this one included
  --without-redis       continues when Redis does not answer; events that wait in it are then not in the backup
  --help                this text
`

async function main(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string', default: process.env.DATA_DIR || 'data' },
      keep: { type: 'string' },
      'without-redis': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return help.trimEnd()
  const [name = `backups/${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`, ...others] = positionals
  if (others.length > 0) throw new Error('Name one folder; bun run backup --help')
  const keep = values.keep
  if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep))
    throw new Error(`--keep must be a whole number from 1, not "${keep}"`)
  const folder = resolve(name)
  if (existsSync(folder)) throw new Error(`${folder} is there already: name another folder`)
  const dataDir = resolve(values['data-dir'])
  if (databasesIn(dataDir).length === 0) throw new Error(`There are no databases in ${dataDir}`)
  const redisUrl = redisUrlOf(environment(), dataDir)
  const problem = await problemWithRedis(redisUrl)
  if (problem && !values['without-redis']) {
    throw new Error(
      `${withoutPassword(redisUrl)}: ${problem}. Start the stack, correct REDIS_URL, or give --without-redis: the backup then lacks the events that wait in Redis.`,
    )
  }
  const { files } = await takeBackup({
    dataDir,
    folder,
    redisUrl: problem ? null : redisUrl,
    secret: openInternalSecret(dataDir, environment().INTERNAL_SECRET),
    audit: auditCopy,
  })
  const removed = keep === undefined ? [] : removeOlder(dirname(folder), Number(keep))
  const gone = removed.length > 0 ? ` Removed: ${removed.join(', ')}.` : ''
  return `${Object.keys(files).length} files are copied to ${folder}. The audit of the copy found nothing wrong (${(performance.now() / 1000).toFixed(1)} s).${gone}`
}

try {
  console.log(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
