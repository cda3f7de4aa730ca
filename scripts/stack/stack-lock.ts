import { statSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { stopMs } from '@bursar/http/stop-limits'
import { type Holder, holderOf, lockFile } from '@bursar/store/file-lock'

const lockOf = (dataDir: string) => join(dataDir, 'stack')
/** Held by a runner that starts nothing again. */
const noRestartOf = (dataDir: string) => join(dataDir, 'no-restart')

/** Throws when root would start services in the folder of another user, who could not read what they make there. */
export function requireOwner(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid ?? 0
  if (process.geteuid?.() !== 0 || owner === 0) return
  throw new Error(
    `The data folder ${dataDir} belongs to user ${owner}, who could not read what root makes there: start as that user, or set DATA_DIR to another folder.`,
  )
}

/** Throws when another runner uses the folder: two Redis on one folder destroy each other's file. */
export function lockRedisFolder(dataDir: string): void {
  lockFile(join(dataDir, 'redis'), 'The folder')
}

/**
 * Throws when another runner uses the folder. `status` and `stop` read who it is, and `restart` whether it starts again what
 * ends; it does unless `restarts` is false.
 */
export function lockStack(
  dataDir: string,
  { withRedis, restarts = true }: { withRedis: boolean; restarts?: boolean },
): void {
  if (withRedis) lockRedisFolder(dataDir)
  for (const path of [lockOf(dataDir), ...(restarts ? [] : [noRestartOf(dataDir)])])
    lockFile(path, 'The data folder', dataDir)
}

/** The runner of the stack on this data folder; null when none runs. */
export const runnerOf = (dataDir: string): Holder | null => holderOf(lockOf(dataDir))

/** Whether the runner of this data folder starts again what ends. */
export const doesRestart = (dataDir: string): boolean => holderOf(noRestartOf(dataDir)) === null

const lookMs = 200

/** Services of a runner that was killed end by themselves: waits for them, so that the next start finds their ports free. */
export async function awaitEarlier(dataDir: string, say: (sentence: string) => void): Promise<void> {
  const areThere = () => Object.values(services).some(({ slug }) => holderOf(join(dataDir, `${slug}.sqlite`)) !== null)
  const end = performance.now() + stopMs + 5000
  if (areThere()) say('Services of an earlier start still run on this data folder: waiting for their end.')
  while (areThere() && performance.now() < end) await Bun.sleep(lookMs)
}
