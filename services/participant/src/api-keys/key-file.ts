import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '@bursar/http'

const keyBytes = 32

/**
 * The key under which API keys are stored: the file `participant.key` in the data folder, made at the first start for
 * its owner alone. Throws ConfigError when it is not 32 bytes in base64.
 */
export function openKeyFile(dataDir: string): Buffer {
  const file = join(dataDir, 'participant.key')
  const key = Buffer.from((read(file) ?? create(file, dataDir)).trim(), 'base64')
  if (key.length === keyBytes) return key
  throw new ConfigError(`${file} must hold ${keyBytes} bytes in base64 (openssl rand -base64 32)`)
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Written whole under another name and then linked: a crash leaves no half key, and of two starts the first wins. */
function create(file: string, dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}
