/** `bun run restore`: puts a backup into the data folder of a stack that is stopped. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { environment } from '@bursar/http/environment'
import { RedisClient } from 'bun'
import { auditCopy } from './backup/audit-copy'
import { restoreBackup } from './backup/restore-backup'
import { problemWithRedis, withoutPassword } from './stack/redis'

const help = `Usage: bun run restore <folder> [--data-dir <folder>]

Puts the backup in <folder> into the data folder. Stop the stack first: a data folder in use is refused. The files that were
there, those of Redis too, are moved to before-restore-… in the same folder. The Redis of REDIS_URL must have no queues of
Bursar: their events are of another time than the backup.

  --data-dir <folder>   where the databases go (DATA_DIR, or data)
  --help                this text
`

/** Throws when the Redis that REDIS_URL names still holds our queues. */
async function requireEmptyRedis(url: string | undefined): Promise<void> {
  if (!url || (await problemWithRedis(url))) return
  const client = new RedisClient(url)
  try {
    let cursor = '0'
    do {
      const [next, keys] = (await client.send('SCAN', [cursor, 'MATCH', 'bursar:*', 'COUNT', '1000'])) as [
        string,
        string[],
      ]
      if (keys.length > 0)
        throw new Error(
          `${withoutPassword(url)} has queues of Bursar, whose events are of another time than the backup: empty it first.`,
        )
      cursor = next
    } while (cursor !== '0')
  } finally {
    client.close()
  }
}

async function main(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'data-dir': { type: 'string', default: process.env.DATA_DIR || 'data' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return help.trimEnd()
  const [folder, ...others] = positionals
  if (!folder || others.length > 0) throw new Error('Name the folder of one backup; bun run restore --help')
  await requireEmptyRedis(environment().REDIS_URL)
  const dataDir = resolve(values['data-dir'])
  const { manifest, before } = await restoreBackup({ folder: resolve(folder), dataDir, audit: auditCopy })
  const aside = before ? ` What was there is in ${before}.` : ''
  return `The backup of ${manifest.takenAt} is in ${dataDir}, and its audit found nothing wrong.${aside}`
}

try {
  console.log(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
