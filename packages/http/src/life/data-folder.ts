import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Makes the data folder, or closes one that others may look into: databases and keys are in it. Fails where it cannot, and
 * for a folder that everybody shares, such as /tmp.
 */
export function openDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const { mode } = statSync(dataDir)
  if ((mode & 0o077) === 0) return
  if ((mode & 0o1000) !== 0)
    throw new Error(`DATA_DIR is ${resolve(dataDir)}, which all users share: set it to a folder of its own.`)
  chmodSync(dataDir, 0o700)
}
