/** `bun run backup`: a consistent copy of all databases and keys, taken while the services run. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { openInternalSecret } from '@bursar/http'
import { environment } from '@bursar/http/environment'
import { noteBackup } from '@bursar/store/last-backup'
import { syncUp } from '@bursar/store/on-disk'
import { requireRestored } from '@bursar/store/unfinished'
import { auditCopy } from './backup/audit-copy'
import { databasesIn, lackOf } from './backup/contents'
import { encrypterFor, newKey } from './backup/encryption'
import { removeOlder } from './backup/keep'
import { remoteAt, removeOlderRemote, upload } from './backup/remote'
import { takeBackup } from './backup/take-backup'
import { writeNew } from './keys/settings-file'
import { dataDirOption, runCommand } from './stack/command'
import { usageError } from './stack/options'
import { dataDirOf, requireFiles } from './stack/place'
import { problemWithRedis, redisUrlOf, withoutPassword } from './stack/redis'
import { claimScratch } from './stack/scratch'

const help = `Usage: bun run backup [folder] [--data-dir <folder>] [--keep <n>] [--encrypt-to <keys>] [--copy-to <s3 url>]
       bun run backup --new-key <file>

Copies all databases of one moment, the keys, and the events that wait in Redis into a new folder (backups/<time> unless
given), while the services run: commits wait for some milliseconds. Then it audits the copy; if the audit fails, no folder is
left. Keep the backup as secret as the data folder, unless it is encrypted: it has the keys.

  --data-dir <folder>   where the databases are (DATA_DIR, or data)
  --keep <n>            once it has succeeded, removes all backups beside it but the n newest, this one included; with
                        --copy-to there, too
  --encrypt-to <keys>   encrypts each file for these public keys of age, with commas (BACKUP_ENCRYPT_TO). Only who has the
                        other half of one restores it: this machine needs none
  --copy-to <s3 url>    then copies it below s3://bucket/prefix, and reads it back (BACKUP_COPY_TO); encrypted backups alone.
                        S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY say where that is
  --without-redis       continues when Redis does not answer; events that wait in it are then not in the backup
  --new-key <file>      makes a pair of keys: writes it into a new file, prints the public one, and takes no backup
  --help                this text
`

const options = {
  ...dataDirOption,
  keep: { type: 'string' },
  'encrypt-to': { type: 'string' },
  'copy-to': { type: 'string' },
  'without-redis': { type: 'boolean', default: false },
  'new-key': { type: 'string' },
} as const

/** For a person who waits: it takes minutes where databases are large. */
function tell(sentence: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${sentence}\n`)
}

const listOf = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter((part) => part !== '')

/** The Redis to read waiting events from; null for none. Throws when it does not answer, unless that is allowed. */
async function redisToRead(url: string, mayBeAway: boolean): Promise<string | null> {
  const problem = await problemWithRedis(url)
  if (!problem) return url
  if (mayBeAway) return null
  throw new Error(
    `${withoutPassword(url)}: ${problem}. Start the stack, correct REDIS_URL, or give --without-redis: the backup then lacks the events that wait in Redis.`,
  )
}

async function makeKey(file: string): Promise<string> {
  const { text, recipient } = await newKey(new Date())
  writeNew(file, text)
  return `${recipient}\nThe key is in ${file}. Without it no backup for it can be restored: keep it in two places, none of them this machine.`
}

await runCommand({ name: 'backup', help, options, takesWords: true }, async (values, words) => {
  if (values['new-key']) return await makeKey(values['new-key'])
  requireFiles()
  const [name = `backups/${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`, ...others] = words
  if (others.length > 0) throw usageError('backup', 'Name one folder')
  const keep = values.keep
  if (keep !== undefined && !/^[1-9]\d{0,3}$/.test(keep))
    throw new Error(`--keep must be a whole number from 1, not "${keep}"`)
  const env = environment()
  const recipients = listOf(values['encrypt-to'] ?? env.BACKUP_ENCRYPT_TO)
  const place = values['copy-to'] ?? env.BACKUP_COPY_TO
  const remote = place ? remoteAt(place, env) : null
  if (remote && recipients.length === 0)
    throw usageError('backup', 'Only an encrypted backup leaves this machine: give --encrypt-to, too')
  const folder = resolve(name)
  if (existsSync(folder)) throw new Error(`${folder} is there already: name another folder`)
  const dataDir = dataDirOf(values['data-dir'])
  requireRestored(dataDir)
  if (databasesIn(dataDir).length === 0) throw new Error(`There are no databases in ${dataDir}`)
  const redisUrl = await redisToRead(redisUrlOf(env, dataDir), values['without-redis'])
  syncUp(dirname(folder), mkdirSync(dirname(folder), { recursive: true }))
  const scratch = claimScratch(`${folder}.unfinished`)
  const manifest = await takeBackup({
    dataDir,
    folder,
    redisUrl,
    secret: openInternalSecret(dataDir, env.INTERNAL_SECRET),
    audit: async (copy) => {
      tell('All is copied; the copy is audited now.')
      await auditCopy(copy)
    },
    encrypter: recipients.length > 0 ? encrypterFor(recipients) : null,
  }).finally(() => scratch.remove())
  noteBackup(dataDir, manifest.takenAt, false)
  const count = Object.keys(manifest.files).length
  const said = [`${count} files are copied to ${folder}${manifest.encrypted ? ', encrypted' : ''}.${lackOf(manifest)}`]
  if (remote) {
    tell(`The backup is in ${folder}; it is copied to ${place} now.`)
    await upload(remote, folder)
    noteBackup(dataDir, manifest.takenAt, true)
    said.push(`They are below ${place} as well, and were read back.`)
  }
  said.push(`The audit of the copy found nothing wrong (${(performance.now() / 1000).toFixed(1)} s).`)
  if (keep !== undefined) {
    const last = Date.parse(manifest.takenAt)
    const removed = removeOlder(dirname(folder), Number(keep), last)
    if (removed.length > 0) said.push(`Removed: ${removed.join(', ')}.`)
    const there = remote ? await removeOlderRemote(remote, Number(keep), last) : []
    if (there.length > 0) said.push(`Removed below ${place}: ${there.join(', ')}.`)
  }
  return said.join(' ')
})
