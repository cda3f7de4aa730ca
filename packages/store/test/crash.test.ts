import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { afterTest, tempFile, tempStore } from './harness'

const lives = 50

type Writer = ReturnType<typeof newWriter>

/** A writer that has not opened the database yet. */
function newWriter(file: string, life: number) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'crash-writer.ts'), file, String(life)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  afterTest(() => child.kill('SIGKILL'))
  return child
}

/** One life of the writer, ended by SIGKILL after `loadMs` under load. Returns the ids it acknowledged. */
async function liveAndDie(child: Writer, loadMs: number): Promise<string[]> {
  child.stdin.end()
  let said = ''
  let timer: Timer | undefined
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    // Its time starts with its first answer, so that it dies in the middle of its load on any machine.
    timer ??= setTimeout(() => child.kill('SIGKILL'), loadMs)
    said += chunk
  }
  clearTimeout(timer)
  expect(await child.exited).toBe(137)
  // The last line may be cut off by the kill; what was not said whole was not acknowledged.
  return said.split('\n').slice(0, -1)
}

test('nothing that was acknowledged is lost when the process is killed, and no row is without its event', async () => {
  const file = tempFile()
  const acknowledged: string[] = []
  let next = newWriter(file, 0)
  for (let life = 0; life < lives; life++) {
    const child = next
    // The one after it starts meanwhile, and waits.
    if (life + 1 < lives) next = newWriter(file, life + 1)
    acknowledged.push(...(await liveAndDie(child, 20 + ((life * 37) % 100))))
  }
  // Opened first by the store: what the last life left in the log must come back by the ordinary way.
  await tempStore({ file })
  const database = new Database(file, { readonly: true })
  afterTest(() => database.close())
  const column = (text: string) =>
    database
      .query<[string], []>(text)
      .values()
      .map(([value]) => value)
  const ids = new Set(column('SELECT id FROM things'))
  const events = column("SELECT json_extract(envelope, '$.data.thingId') FROM outbox")
  expect(acknowledged.length).toBeGreaterThan(lives)
  expect(acknowledged.filter((id) => !ids.has(id))).toEqual([])
  expect(new Set(events)).toEqual(ids)
  expect(events.length).toBe(ids.size)
  expect(column('PRAGMA integrity_check')).toEqual(['ok'])
})
