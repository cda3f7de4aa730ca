import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { manifestName, readManifest } from './contents'

/**
 * Orders backups, the newest first. `last`: when the one was taken that was just made. One that says to be of a later time is
 * older all the same: the clock was ahead then.
 */
export const newestFirst =
  (last: number) =>
  (a: { takenAt: number }, b: { takenAt: number }): number =>
    Number(a.takenAt > last) - Number(b.takenAt > last) || b.takenAt - a.takenAt

/**
 * Removes all backups of a folder but the `keep` newest (`newestFirst`); whatever else is there stays. Answers
 * the names of those that it removed, the newest first. Throws, and removes none, when one does not say when that was. The
 * manifest of each goes last: a removal that was cut off is ended by the next.
 */
export function removeOlder(folder: string, keep: number, last: number, remove = rmSync): string[] {
  const backups = readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, manifestName)))
    .map((name) => ({ name, takenAt: Date.parse(readManifest(join(folder, name)).takenAt) }))
    .sort(newestFirst(last))
  const older = backups.slice(keep).map(({ name }) => name)
  for (const backup of older.map((name) => join(folder, name))) {
    const files = readdirSync(backup).filter((name) => name !== manifestName)
    for (const name of files) remove(join(backup, name), { recursive: true })
    remove(backup, { recursive: true })
  }
  return older
}
