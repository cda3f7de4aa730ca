import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addToOutbox, cutThrough, faultsOf } from '../src/restore/backup'
import { afterTest, failureOf, makeThing, tempFile, tempStore, until } from './harness'

/** Two databases that another process writes to in turn, the first one first. */
async function twoInTurn() {
  const files = [tempFile(), tempFile()] as const
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'cut-writer.ts'), ...files], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  afterTest(() => child.kill('SIGKILL'))
  for await (const _ of child.stdout) break
  return files
}

function countIn(file: string): number {
  const database = new Database(file, { readonly: true })
  try {
    return database.query<{ n: number }, []>('SELECT count(*) AS n FROM things').get()?.n ?? -1
  } finally {
    database.close()
  }
}

async function copyOf(file: string, files: readonly string[]) {
  const cut = await cutThrough(files)
  const to = join(dirname(file), 'copy.sqlite')
  await cut.copy(file, to)
  cut.close()
  return to
}

describe('a cut through databases that are written to', () => {
  test('has them as they were at one moment, whichever is taken and copied first', async () => {
    const [first, second] = await twoInTurn()
    for (let round = 0; round < 20; round++) {
      const files = round % 2 ? [first, second] : [second, first]
      // On a busy machine the writer may stand still in the middle of a commit.
      const cut = await cutThrough(files, 100)
      const copies = new Map<string, number>()
      for (const file of files) {
        const to = `${file}.copy-${round}`
        await cut.copy(file, to)
        copies.set(file, countIn(to))
        expect(faultsOf(to)).toEqual([])
      }
      cut.close()
      const [one = 0, two = 0] = [copies.get(first), copies.get(second)]
      expect(two === one || two === one - 1 ? 'in step' : [one, two]).toBe('in step')
      await until('them to go on', () => countIn(first) > one)
    }
  })

  test('waits for a commit that is under way, and gives up on one that does not end', async () => {
    const file = tempFile()
    await tempStore({ file })
    const holder = new Database(file)
    afterTest(() => holder.close())
    holder.run('BEGIN IMMEDIATE')
    const waiting = cutThrough([file])
    holder.run('COMMIT')
    ;(await waiting).close()
    holder.run('BEGIN IMMEDIATE')
    expect(String(await failureOf(cutThrough([file], 2)))).toContain('too busy')
  })
})

test('there must be a database', async () => {
  expect(String(await failureOf(cutThrough([tempFile()])))).toContain('There is no database at ')
})

test('events are added to a copy’s outbox once', async () => {
  const file = tempFile()
  const store = await tempStore({ file })
  await store.commit((tx) => makeThing(tx, 'a'))
  const copy = await copyOf(file, [file])
  const database = new Database(copy, { readonly: true })
  const [known] = database.query<{ envelope: string }, []>('SELECT envelope FROM outbox').all()
  database.close()
  const event = JSON.parse(known?.envelope ?? '')
  const other = { ...event, id: crypto.randomUUID() }
  expect(addToOutbox(copy, [event, other])).toBe(1)
  expect(addToOutbox(copy, [other])).toBe(0)
})

test('a damaged file is named as such', async () => {
  const file = tempFile()
  const store = await tempStore({ file })
  await store.commit((tx) => makeThing(tx, 'a'))
  const copy = await copyOf(file, [file])
  expect(faultsOf(copy)).toEqual([])
  const bytes = Buffer.from(await Bun.file(copy).arrayBuffer())
  bytes.fill(7, 4096, 4096 * 4)
  writeFileSync(copy, bytes)
  expect(faultsOf(copy)).not.toEqual([])
})
