import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The file in a data folder whose restore has begun and not ended. It says where that moves what was there before. Until it is
 * gone the folder has some of its databases and keys, and whoever started with them would make the others anew.
 */
export const unfinishedName = 'restore.unfinished'

/** Throws where a restore has begun and not ended. */
export function requireRestored(dataDir: string): void {
  if (existsSync(join(dataDir, unfinishedName)))
    throw new Error(
      `A restore into ${dataDir} has not ended: databases and keys are missing there. If none runs any more, run bun run restore with the backup again; nothing starts before that.`,
    )
}
