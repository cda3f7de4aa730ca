import { write, writeSync } from 'node:fs'

/** Where lines of a log go. Never throws, and never ends the process: a log that cannot be written stops no money. */
export interface LineOutput {
  /** Takes a line, with its end. */
  write(line: string): void
  /** Writes what was taken, without waiting for it. */
  flush(): void
}

/** Lines are written some kilobytes at a time, at the latest after so long. A write for each would cost a tenth of a POST. */
const flushMs = 100
const bufferedChars = 8192
/** So much waits while nothing can be written, of a full disk or a slow reader; further lines are counted and let go. */
const mostChars = 1024 * 1024
/** How long the end of the process waits for a slow reader. */
const lastMs = 1000

/** Over a file, a pipe or a terminal. Writes its last lines before the process ends, as far as they can be written. */
export function lineOutput(fd: number): LineOutput {
  let lines = ''
  /** Handed over, and not yet all written. */
  let rest: Buffer = Buffer.alloc(0)
  let underWay = false
  let lost = 0

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

  function flush() {
    if (underWay) return
    if (rest.length === 0) next()
    if (rest.length === 0) return
    underWay = true
    write(fd, rest, (error, written) => {
      underWay = false
      // What could not be written is tried again with the next flush.
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
    // What is under way is written by another thread.
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

  setInterval(flush, flushMs).unref()
  process.on('exit', finish)
  return { write: take, flush }
}

const lostLine = (lost: number): string =>
  `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), lines: lost, msg: 'Lines of this log are lost: it could not be written' })}\n`
