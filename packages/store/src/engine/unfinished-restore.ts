import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The file in a data folder whose restore is unfinished. It says where the earlier content was moved. Until it is
 * removed the folder has only some of its databases and keys, and a start would create the others anew.
 */
export const unfinishedName = 'restore.unfinished'

/** Throws if a restore of the folder is unfinished. */
export function requireRestored(dataDir: string): void {
  if (existsSync(join(dataDir, unfinishedName)))
    throw new Error(
      `A restore into ${dataDir} has not ended: databases and keys are missing there. If none runs any more, run bun run restore with the backup again; nothing starts before that.`,
    )
}
