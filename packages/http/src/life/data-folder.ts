import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

/**
 * Makes the data folder, or closes one that others may look into: databases and keys are in it. Fails where it cannot, and
 * for a folder that everybody shares, such as /tmp.
 */
export const openDataFolder = (dataDir: string): void => openPrivately(dataDir, 'DATA_DIR')

/** The same for a folder that this setting names. */
export function openPrivately(folder: string, setting: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { mode } = statSync(folder)
  if ((mode & 0o077) === 0) return
  if ((mode & 0o1000) !== 0)
    throw new Error(`${setting} is ${resolve(folder)}, which all users share: set it to a folder of its own.`)
  chmodSync(folder, 0o700)
}
