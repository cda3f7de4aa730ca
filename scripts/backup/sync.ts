import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Sync } from '@bursar/store/on-disk'

/** All files of a folder, then their names. */
export function syncAllIn(folder: string, sync: Sync): void {
  for (const name of readdirSync(folder).sort()) sync(join(folder, name))
  sync(folder)
}
