import { chmodSync, mkdirSync, type Stats, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { syncUp } from '@bursar/store/on-disk'

/** Whether other users may look into a folder or a file. */
export const isOpenToOthers = ({ mode }: Stats): boolean => (mode & 0o077) !== 0

/** Whether a folder is one that everybody shares, such as /tmp. */
export const isSharedByAll = (found: Stats): boolean => isOpenToOthers(found) && (found.mode & 0o1000) !== 0

/**
 * Makes the data folder, or closes one that others may look into: databases and keys are in it. Fails where it cannot, and
 * for a folder that everybody shares.
 */
export const openDataFolder = (dataDir: string): void => openPrivately(dataDir, 'DATA_DIR')

/** The same for a folder that this setting names. */
export function openPrivately(folder: string, setting: string): void {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) syncUp(folder, made)
  const found = statSync(folder)
  if (isSharedByAll(found))
    throw new Error(`${setting} is ${resolve(folder)}, which all users share: set it to a folder of its own.`)
  if (isOpenToOthers(found)) chmodSync(folder, 0o700)
}
