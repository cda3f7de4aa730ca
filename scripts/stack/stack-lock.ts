import { join } from 'node:path'
import { type Holder, holderOf, lockFile } from '@bursar/store/file-lock'

const lockOf = (dataDir: string) => join(dataDir, 'stack')

/** Throws when another runner uses the folder: two Redis on one folder destroy each other's file. */
export function lockRedisFolder(dataDir: string): void {
  lockFile(join(dataDir, 'redis'), 'The folder')
}

/** Throws when another runner uses the folder. `status` and `stop` read who it is. */
export function lockStack(dataDir: string, { withRedis }: { withRedis: boolean }): void {
  if (withRedis) lockRedisFolder(dataDir)
  lockFile(lockOf(dataDir), 'The folder')
}

/** The runner of the stack on this data folder; null when none runs. */
export const runnerOf = (dataDir: string): Holder | null => holderOf(lockOf(dataDir))
