// When each test file begins: about the longest first, so that no core waits for one that began last.
import { readFileSync } from 'node:fs'
import { availableParallelism, freemem } from 'node:os'
import { join } from 'node:path'

/** Seconds that files took of a run on two idle cores: all of the root's test folder, and others from a second on. */
const measured = new Map<string, number>(
  Object.entries(JSON.parse(readFileSync(join(import.meta.dir, 'seconds.json'), 'utf8'))),
)

/** How long a file takes that never ran here. New ones of the root's test folder start whole platforms. */
export function expectedMs(file: string): number {
  const seconds = measured.get(file)
  if (seconds !== undefined) return seconds * 1000
  return file.startsWith('test/') ? 10_000 : 500
}

/**
 * The times that `bun test` is told, by file: it begins with the longest. Each is between half and one and a half of what
 * the file takes, as the seed says, so that files meet others in each run; with one seed they are the same everywhere.
 */
export function timesToOrderBy(files: readonly string[], seed: number): Record<string, number> {
  const next = randomNumbers(seed)
  return Object.fromEntries(files.toSorted().map((file) => [file, Math.ceil(expectedMs(file) * (0.5 + next()))]))
}

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What a process that runs tests takes of the memory, with the services and the browser that it starts. */
const bytesEach = 1.5 * 2 ** 30

/**
 * Files that run side by side: two for each core, for tests wait for half of their time; with three, services miss the time
 * that they have for Redis. Fewer where the memory is small.
 */
export function filesAtOnce(cores = availableParallelism(), freeBytes = freemem()): number {
  return Math.max(2, Math.min(2 * cores, 12, Math.floor(freeBytes / bytesEach)))
}
