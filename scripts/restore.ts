/** `bun run restore`: puts a backup into the data folder of a stack that is stopped, or tries that in a folder of its own. */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { mastersOf } from '@bursar/bus'
import { environment } from '@bursar/http/environment'
import { auditCopy } from './backup/audit-copy'
import { lackOf, ofLaterRelease } from './backup/contents'
import { drill } from './backup/drill'
import { decrypterFrom } from './backup/encryption'
import { download, remoteAt } from './backup/remote'
import { restoreBackup } from './backup/restore-backup'
import { dataDirOption, runCommand } from './stack/command'
import { usageError } from './stack/options'
import { dataDirOf, requireFiles } from './stack/place'
import { problemWithRedis, withoutPassword, withRedis } from './stack/redis'
import { claimScratch } from './stack/scratch'

const help = `Usage: bun run restore <backup> [--identity <file>] [--data-dir <folder>] [--incomplete]
       bun run restore --drill <backup> [--identity <file>] [--incomplete]

Puts the backup, a folder or s3://bucket/prefix/name, into the data folder. Stop the stack first: a data folder in use is
refused. The files that were there, those of Redis too, are moved to before-restore-… in the same folder. The Redis of
REDIS_URL must have no queues of Bursar: their events are of another time than the backup.

  --identity <file>     the key of an encrypted backup, as bun run backup --new-key or age-keygen wrote it
  --data-dir <folder>   where the databases go (DATA_DIR, or data)
  --incomplete          takes a backup that lacks databases of services, which then start empty: it is refused otherwise
  --drill               restores into a folder of its own instead, audits that, prints a report, and removes it: the platform
                        and its Redis are not touched
  --help                this text
`

/** Throws when the Redis that REDIS_URL names still holds our queues. */
async function requireEmptyRedis(url: string | undefined): Promise<void> {
  if (!url || (await problemWithRedis(url))) return
  const found = await withRedis(url, async (redis) => {
    const queues = await Promise.all(mastersOf(redis).map(hasQueues))
    return queues.includes(true)
  })
  if (found)
    throw new Error(
      `${withoutPassword(url)} has queues of Bursar, whose events are of another time than the backup: empty it first.`,
    )
}

async function hasQueues(master: ReturnType<typeof mastersOf>[number]): Promise<boolean> {
  let cursor = '0'
  do {
    const [next, keys] = await master.scan(cursor, 'MATCH', 'bursar:*', 'COUNT', 1000)
    if (keys.length > 0) return true
    cursor = next
  } while (cursor !== '0')
  return false
}

const options = {
  ...dataDirOption,
  identity: { type: 'string' },
  drill: { type: 'boolean', default: false },
  incomplete: { type: 'boolean', default: false },
} as const

/** A new folder for as long as the work takes; `arriving` is one that the work makes itself. */
async function inFolderOfItsOwn<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
  arriving: readonly string[] = [],
): Promise<T> {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'restore-'))
  const scratch = claimScratch(folder, arriving)
  try {
    return await work(folder)
  } finally {
    scratch.remove()
  }
}

/** The folder with the backup's files: one that is named, or a new one in `scratch` with what was fetched. */
async function folderOf(backup: string, scratch: string, env: NodeJS.ProcessEnv): Promise<string> {
  if (!backup.startsWith('s3://')) return resolve(backup)
  const folder = join(scratch, 'fetched')
  mkdirSync(folder, { mode: 0o700 })
  await download(remoteAt(backup, env), folder)
  return folder
}

await runCommand({ name: 'restore', help, options, takesWords: true }, async (values, [backup, ...others]) => {
  requireFiles()
  if (!backup || others.length > 0) throw usageError('restore', 'Name one backup')
  const env = environment()
  const decrypter = values.identity ? decrypterFrom(values.identity) : null
  const how = { audit: auditCopy, decrypter, isIncomplete: values.incomplete }
  if (values.drill)
    return await inFolderOfItsOwn(tmpdir(), (scratch) =>
      drill({ scratch, ...how, fetch: () => folderOf(backup, scratch, env) }),
    )
  await requireEmptyRedis(env.REDIS_URL)
  const dataDir = dataDirOf(values['data-dir'])
  // Fetched to the disk that it is for, not into memory.
  const bring = async (scratch: string) => {
    const folder = await folderOf(backup, scratch, env)
    // No signal is heard from its first change to its last: it does not wait between.
    const { manifest, before } = await restoreBackup({ folder, dataDir, ...how })
    const aside = before ? ` What was there is in ${before}.` : ''
    return `The backup of ${manifest.takenAt} is in ${dataDir}, and its audit found nothing wrong.${lackOf(manifest)}${aside}${ofLaterRelease(manifest)}`
  }
  const arriving = join(dataDir, `arriving-${process.pid}`)
  return await inFolderOfItsOwn(backup.startsWith('s3://') ? dirname(dataDir) : tmpdir(), bring, [arriving])
})
