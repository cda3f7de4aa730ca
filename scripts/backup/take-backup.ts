import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { waitingEvents } from '@bursar/bus'
import type { Envelope } from '@bursar/contracts/event'
import type { Secrets } from '@bursar/contracts/secrets'
import { services } from '@bursar/contracts/services'
import { addToOutbox, type Cut, cutThrough, faultsOf } from '@bursar/store/backup'
import { giveToOwner, type Sync, syncNow, syncUp } from '@bursar/store/on-disk'
import type { Encrypter } from 'age-encryption'
import manifest from '../../package.json'
import { databasesIn, hashOf, type Manifest, manifestName, secretsIn } from './contents'
import { encryptedEnd, encryptFile } from './encryption'
import { syncAllIn } from './sync'

export interface BackupOptions {
  dataDir: string
  /** The folder to make. */
  folder: string
  /** The Redis of the stack; null leaves out what waits on its queues. */
  redisUrl: string | null
  /** The deployment's, with which events on the queues are signed. */
  secret: Secrets
  /** Recomputes the books of the copy; throws when they are wrong. */
  audit: (folder: string) => Promise<void>
  /** Encrypts the copies once they are audited; null leaves them as they are. */
  encrypter: Encrypter | null
  /** For tests. */
  sync?: Sync
}

/** Half of what an event stays in the outbox after it was published. */
const longestLookMs = 5000

/**
 * Takes a backup while the services run. What makes the copies agree:
 *
 * 1. All databases are copied as they were at one moment (`cutThrough`), not one after another. So no copy holds the
 *    effect of an event that its producer's copy does not know, whichever service is whose consumer; and they are each
 *    other's consumers, so that no order of copying would do.
 * 2. At that moment an event is in its producer's outbox, where it stays until 10 s after it was published, or on a
 *    queue in Redis, or with its consumers. The queues are read BEFORE the cut, and less than 5 s before: an event that
 *    was on none then and had left the outbox by the cut had been handled. What was on a queue is put into the outbox
 *    of its producer's copy; consumers that have it already know its id.
 * 3. Keys are read right after the cut: a key is made before anything is sealed with it, and an earlier one is kept for
 *    minutes after all is sealed by the next (`bun run rotate`).
 *
 * The folder gets its name when the copies were checked and audited, so that half a backup never looks like one. All is on
 * the disk before the manifest is written, and under that name before this resolves: older backups may be removed then.
 */
export async function takeBackup({
  dataDir,
  folder,
  redisUrl,
  secret,
  audit,
  encrypter,
  sync = syncNow,
}: BackupOptions): Promise<Manifest> {
  const databases = databasesIn(dataDir)
  const draft = `${folder}.unfinished`
  const made = mkdirSync(dirname(folder), { recursive: true })
  mkdirSync(draft, { mode: 0o700 })
  try {
    const files = databases.map((name) => join(dataDir, name))
    const { cut, waiting } = await cutWithEvents(files, async () =>
      redisUrl ? await waitingEvents({ url: redisUrl, secret }) : [],
    )
    const takenAt = new Date().toISOString()
    const secrets = secretsIn(dataDir)
    try {
      for (const name of secrets) copyFileSync(join(dataDir, name), join(draft, name))
      for (const name of databases) await cut.copy(join(dataDir, name), join(draft, name))
    } finally {
      cut.close()
    }
    keepEvents(draft, databases, waiting)
    for (const name of databases) check(join(draft, name))
    await audit(draft)
    const hashes = await hashesOf(draft, [...databases, ...secrets])
    if (encrypter) {
      for (const name of Object.keys(hashes)) {
        await encryptFile(encrypter, join(draft, name), join(draft, name + encryptedEnd))
        rmSync(join(draft, name))
      }
    }
    const result: Manifest = { takenAt, version: manifest.version, files: hashes, encrypted: encrypter !== null }
    syncAllIn(draft, sync)
    const said = join(draft, manifestName)
    writeFileSync(said, `${JSON.stringify(result, null, 2)}\n`, { mode: 0o600 })
    sync(said)
    for (const each of [draft, ...readdirSync(draft).map((name) => join(draft, name))]) giveToOwner(each)
    sync(draft)
    renameSync(draft, folder)
    syncUp(dirname(folder), made, sync)
    return result
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

async function cutWithEvents(
  files: string[],
  readQueues: () => Promise<Envelope[]>,
): Promise<{ cut: Cut; waiting: Envelope[] }> {
  for (let i = 0; i < 3; i++) {
    const startMs = performance.now()
    const waiting = await readQueues()
    const cut = await cutThrough(files)
    if (performance.now() - startMs < longestLookMs) return { cut, waiting }
    cut.close()
  }
  throw new Error('The queues of events could not be read within 5 s: try again when fewer events wait')
}

/** Puts each event into the outbox of the service that it comes from. */
function keepEvents(folder: string, databases: readonly string[], events: readonly Envelope[]): void {
  const byDatabase = Map.groupBy(events, ({ service }) => databaseOf(service))
  for (const [name, own] of byDatabase) {
    if (!databases.includes(name)) throw new Error(`Events of ${name} wait on a queue, but it has no database here`)
    addToOutbox(join(folder, name), own)
  }
}

const databaseOf = (service: string): string =>
  `${(services as Record<string, { slug: string }>)[service]?.slug ?? service}.sqlite`

function check(file: string): void {
  const [fault] = faultsOf(file)
  if (fault) throw new Error(`The copy ${file} is damaged, as its original may be: ${fault}`)
}

async function hashesOf(folder: string, names: readonly string[]): Promise<Record<string, string>> {
  const entries = await Promise.all(
    names.map(async (name) => [name, await hashOf(Bun.file(join(folder, name)))] as const),
  )
  return Object.fromEntries(entries)
}
