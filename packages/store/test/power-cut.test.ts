import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { logDefaults } from '../src/engine/write-ahead-log'
import { afterTest, makeThing, tempFile, tempStore } from './harness'

const cuts = 200
const sectorBytes = 512

/**
 * What a disk may hold after a power cut: of each sector that was written after the last sync, the old content or the
 * new, at random.
 */
function afterPowerCut(synced: Buffer, written: Buffer): Buffer {
  const found = Buffer.from(written)
  for (let at = 0; at < written.length; at += sectorBytes) {
    if (Math.random() < 0.5) continue
    found.fill(0, at, Math.min(at + sectorBytes, found.length))
    synced.copy(found, at, at, Math.min(at + sectorBytes, synced.length))
  }
  return found
}

/** All of a file that is open, which stays open. */
function contentOf(fd: number): Buffer {
  const content = Buffer.alloc(fstatSync(fd).size)
  return content.subarray(0, readSync(fd, content, 0, content.length, 0))
}

interface Cut {
  folder: string
  answered: readonly string[]
  /** Tells one beginning of the log from the next (the salt in its header). */
  generation: string
}

test('every write that was answered is there after a power cut at any moment', async () => {
  const file = tempFile()
  // Closed behind the store: closing the file in this process would drop SQLite's locks on it.
  let held = -1
  afterTest(() => held >= 0 && closeSync(held))
  const log = `${file}-wal`
  // The log as it was when the last completed sync began: what is in it is on the disk.
  let synced: Buffer = Buffer.alloc(0)
  const store = await tempStore({
    file,
    tuning: {
      // Short, so that cuts fall into checkpoints and new beginnings of the log.
      checkpointPages: 200,
      async sync(fd) {
        const now = readFileSync(log)
        await logDefaults.sync(fd)
        synced = now
      },
      syncNow(fd) {
        const now = readFileSync(log)
        logDefaults.syncNow(fd)
        synced = now
      },
    },
  })
  held = openSync(file, 'r')
  const answered: string[] = []
  const made: Cut[] = []

  function cut() {
    const folder = join(dirname(dirname(file)), `cut${made.length}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'test.sqlite'), contentOf(held))
    const written = readFileSync(log)
    writeFileSync(join(folder, 'test.sqlite-wal'), afterPowerCut(synced, written))
    made.push({ folder, answered: answered.slice(), generation: written.toString('hex', 16, 24) })
  }

  async function write(caller: number, upTo: number) {
    for (let n = 0; made.length < upTo; n++) {
      const id = `${caller}-${n}`
      await store
        .commit(async (tx) => {
          await makeThing(tx, id)
          // Now and then a body that throws, and with it batches with savepoints.
          if (Math.random() < 0.02) throw new Error('no')
        })
        .then(
          () => answered.push(id),
          () => {},
        )
      if (Math.random() < 0.02 && made.length < upTo) cut()
    }
  }
  // At first few callers, whose batches are synced on the spot, then many.
  await Promise.all([1, 2, 3].map((caller) => write(caller, cuts / 10)))
  await Promise.all(Array.from({ length: 64 }, (_, caller) => write(caller + 10, cuts)))

  expect(made).toHaveLength(cuts)
  expect(new Set(made.map(({ generation }) => generation)).size).toBeGreaterThan(3)
  for (const { folder, answered } of made) {
    const database = new Database(join(folder, 'test.sqlite'))
    // This copy is read once: what its closing folds from the log needs no disk.
    database.run('PRAGMA synchronous = OFF')
    const ids = new Set(database.query<[string], []>('SELECT id FROM things').values().flat())
    expect(database.query('PRAGMA integrity_check').values()).toEqual([['ok']])
    database.close()
    expect(answered.filter((id) => !ids.has(id))).toEqual([])
  }
})
