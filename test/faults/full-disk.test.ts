import { expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'

interface Line {
  commit: string
  health: string
  rows: number
}

// A limit on the size of files stands for the disk: writes beyond it fail, and it can be raised while the process runs.
test.skipIf(!Bun.which('prlimit'))(
  'while the disk is full commits are rejected, reads go on and health says why; then the store recovers',
  async () => {
    const file = join(tempDir(), 'full.sqlite')
    const writer = join(import.meta.dir, 'full-disk-writer.ts')
    // The signal that goes with the limit would end the process.
    const command = ['sh', '-c', 'trap \'\' XFSZ; exec "$@"', 'sh', process.execPath, writer, file]
    const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
    try {
      const lines = linesOf(child.stdout)
      const well: Line = { commit: 'ok', health: 'ok', rows: expect.any(Number) }
      const before = await nextLike(lines, well)
      limitFiles(child.pid, String(statSync(`${file}-wal`).size))
      const reason = expect.stringMatching(/^CommitFailedError: The commit failed and wrote nothing: (disk|database)/)
      const full = await nextLike(lines, { commit: reason, health: reason, rows: expect.any(Number) })
      expect((await lines.next()).value).toEqual(full)
      expect(full.rows).toBeGreaterThanOrEqual(before.rows)
      limitFiles(child.pid, 'unlimited')
      const after = await nextLike(lines, well)
      expect((after.rows - full.rows) % 10).toBe(0)
      expect(after.rows).toBeGreaterThan(full.rows)
    } finally {
      child.kill('SIGKILL')
      await child.exited
    }
  },
)

function limitFiles(pid: number, soft: string) {
  expect(Bun.spawnSync(['prlimit', `--pid=${pid}`, `--fsize=${soft}:unlimited`]).exitCode).toBe(0)
}

async function* linesOf(output: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Line, Line> {
  let rest = ''
  for await (const text of output.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
  throw new Error('The writer has ended')
}

/** Passes over the lines in between: what was under way when the disk changed may go either way. */
async function nextLike(lines: AsyncGenerator<Line, Line>, wanted: Line): Promise<Line> {
  for (;;) {
    const { value } = await lines.next()
    try {
      expect(value).toEqual(wanted)
      return value
    } catch {
      if (passed++ > 2000) throw new Error(`No such line came; the last was ${JSON.stringify(value)}`)
    }
  }
}
let passed = 0
