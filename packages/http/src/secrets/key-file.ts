import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFile } from '@bursar/store/file-lock'
import { createFile, replaceFile } from '@bursar/store/on-disk'
import { requireRestored } from '@bursar/store/unfinished'

/** The length of generated keys. */
export const keyBytes = 32

/**
 * The text of a key file in the data folder: 32 random bytes in base64, generated if missing, readable by its owner
 * only; of several starts the first one wins. While a restore is unfinished, which may bring the file, it throws
 * instead.
 */
export function readKeyFile(dataDir: string, name: string): string {
  const file = join(dataDir, name)
  const known = read(file)
  if (known !== undefined) return known
  requireRestored(dataDir)
  createFile(file, `${newKey()}\n`)
  return readFileSync(file, 'utf8')
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const newKey = (): string => randomBytes(keyBytes).toString('base64')

/**
 * A line of a key file. The first is the key in use. Further ones are accepted too: one with an end was in use before,
 * one without is the next.
 */
export interface KeyLine {
  /** Base64. */
  readonly key: string
  readonly until: Date | null
}

const linePattern = /^([A-Za-z0-9+/_-]+={0,2})(?: until (\d{4}-\d\d-\d\dT[\d:.]+Z))?$/

/** The lines of a key file; null if it is malformed. */
export function keyLines(text: string): KeyLine[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => linePattern.exec(line))
  const found = lines.flatMap((match) => {
    const until = match?.[2] ? new Date(match[2]) : null
    return match?.[1] && !Number.isNaN(until?.getTime()) ? [{ key: match[1], until }] : []
  })
  return found.length > 0 && found.length === lines.length && found[0]?.until === null ? found : null
}

/**
 * Puts a new key in front of a key file's others; the one before it ends at `until`. Throws while another process changes the
 * file (FileLockedError), and when it has another form.
 *
 * The new key is on the disk as the second line before it is the first: nothing is ever sealed with a key that a power
 * cut can take back. A rotation that was interrupted in between is finished with the key that it made.
 */
export const rotateKeyFile = (dataDir: string, name: string, until: Date): void =>
  changeLines(dataDir, name, (lines, write) => {
    const { current, next, former } = prepare(lines, write)
    write([next, { ...current, until }, ...former])
  })

/**
 * The next key of a file, which `rotateKeyFile` puts into use: generated if missing, and accepted already. Throws as
 * that does.
 */
export const prepareNextKey = (dataDir: string, name: string): string =>
  changeLines(dataDir, name, (lines, write) => prepare(lines, write).next.key)

function prepare(lines: KeyLine[], write: (lines: KeyLine[]) => void) {
  const [current, ...others] = lines as [KeyLine, ...KeyLine[]]
  const begun = others.find((line) => line.until === null)
  const next = begun ?? { key: newKey(), until: null }
  const former = others.filter((line) => line !== begun)
  if (!begun) write([current, next, ...former])
  return { current, next, former }
}

/** Removes the keys that ended before `now` from a key file. Throws as `rotateKeyFile` does. */
export const dropEndedKeys = (dataDir: string, name: string, now: Date): void =>
  changeLines(dataDir, name, (lines, write) => {
    const left = lines.filter(({ until }) => until === null || until > now)
    if (left.length < lines.length) write(left)
  })

function changeLines<T>(
  dataDir: string,
  name: string,
  change: (lines: KeyLine[], write: (lines: KeyLine[]) => void) => T,
): T {
  const file = join(dataDir, name)
  const lock = lockFile(file, 'The key file')
  try {
    const lines = keyLines(readFileSync(file, 'utf8'))
    if (!lines) throw new Error(`${file} is no key file: restore it from a backup`)
    return change(lines, (changed) => replaceFile(file, changed.map(textOf).join('')))
  } finally {
    lock.release()
  }
}

const textOf = ({ key, until }: KeyLine): string => (until ? `${key} until ${until.toISOString()}\n` : `${key}\n`)
