import { write, writeSync } from 'node:fs'
import { stamp } from './stamp'

/** The destination of log lines. Never throws or ends the process: a full disk for logs must not stop payments. */
export type LineOutput = ReturnType<typeof lineOutput>

/** The longest that lines are buffered. One write per line would cost a tenth of a POST. */
const flushMs = 100
const bufferedChars = 8192
/** The largest buffer while nothing can be written (full disk, slow reader); further lines are counted and dropped. */
const mostChars = 1024 * 1024
/** How long the end of the process waits for a slow reader. */
const lastMs = 1000

/** Writes to a file, a pipe or a terminal. Before the process ends it writes the remaining lines, if it can. */
export function lineOutput(fd: number) {
  let lines = ''
  /** Passed to a write that is not complete. */
  let rest: Buffer = Buffer.alloc(0)
  let underWay = false
  let lost = 0

  /** Takes a line, including its line break. */
  function take(line: string) {
    if (lines.length + rest.length > mostChars) {
      lost += 1
      return
    }
    if (lost > 0) lines += lostLine(lost)
    lost = 0
    lines += line
    if (lines.length >= bufferedChars) flush()
  }

  /** Starts writing the buffered lines, without waiting. */
  function flush() {
    if (underWay) return
    if (rest.length === 0) next()
    if (rest.length === 0) return
    underWay = true
    write(fd, rest, (error, written) => {
      underWay = false
      // Retried with the next flush.
      if (error) return
      rest = rest.subarray(written)
      if (rest.length > 0 || lines.length >= bufferedChars) flush()
    })
  }

  function next() {
    rest = Buffer.from(lines)
    lines = ''
  }

  function finish() {
    const end = performance.now() + lastMs
    // The write under way runs in another thread.
    if (underWay) rest = Buffer.alloc(0)
    if (lost > 0) lines += lostLine(lost)
    rest = Buffer.concat([rest, Buffer.from(lines)])
    lines = ''
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > end) return
        Bun.sleepSync(10)
      }
    }
  }

  /** Resolves when no write is under way: at the end of the process that would be lost. Waits a second at most. */
  async function settled() {
    const end = performance.now() + lastMs
    while (underWay && performance.now() < end) await Bun.sleep(1)
  }

  setInterval(flush, flushMs).unref()
  process.on('exit', finish)
  return { write: take, flush, settled }
}

const lostLine = (lost: number): string =>
  `${JSON.stringify({ level: 'warn', time: stamp(), lines: lost, msg: 'Lines of this log are lost: it could not be written' })}\n`
