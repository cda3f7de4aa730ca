import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../engine/on-disk'

/** The file in the data folder with the time of its last backup. It is no secret, and in no backup. */
export const lastBackupName = 'last-backup.json'

/** When the last backup was taken, and the last of those that were copied to another place; null for never. */
interface LastBackup {
  takenAt: string | null
  copiedAt: string | null
}

/** Reads that file; an unreadable one counts as missing. */
export function lastBackupOf(dataDir: string): LastBackup {
  try {
    const { takenAt = null, copiedAt = null } = JSON.parse(readFileSync(join(dataDir, lastBackupName), 'utf8'))
    return { takenAt, copiedAt }
  } catch {
    return { takenAt: null, copiedAt: null }
  }
}

/** Records a successful backup. `takenAt`: the moment that it shows. */
export function noteBackup(dataDir: string, takenAt: string, isCopied: boolean): void {
  const noted: LastBackup = { takenAt, copiedAt: isCopied ? takenAt : lastBackupOf(dataDir).copiedAt }
  replaceFile(join(dataDir, lastBackupName), `${JSON.stringify(noted)}\n`)
}
