import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How many bytes a key has that is made here. */
export const keyBytes = 32

/**
 * The text of a key file in the data folder: 32 random bytes in base64, made when there is none, for its owner alone.
 * Written whole under another name and then linked: a crash leaves no half key, and of several starts the first wins.
 */
export function readKeyFile(dataDir: string, name: string): string {
  const file = join(dataDir, name)
  const known = read(file)
  if (known !== undefined) return known
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${crypto.randomUUID()}`
  writeFileSync(draft, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
