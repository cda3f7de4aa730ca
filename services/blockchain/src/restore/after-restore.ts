import { join } from 'node:path'
import type { Deps } from '@bursar/http'
import { noteRun, previousRunOf, wasSetBack } from '@bursar/store'
import { forgetUnread } from '../networks/inner-methods'
import { holdOpenSends } from '../sends/restored-sends'
import { noteWatchAgain } from '../watching/watch-again'

/** Beside the database, and not in backups: the last run. */
const runFileName = 'blockchain.run'

/**
 * Holds the sends of a database that was restored from an older backup: it lacks what was signed and paid since then.
 * The chains are read again from the old position.
 */
export async function noteRestore(
  { store, log }: Pick<Deps, 'store' | 'log'>,
  dataDir: string,
  now: Date,
): Promise<void> {
  const file = join(dataDir, runFileName)
  if (await wasSetBack(store.read, file)) {
    const since = new Date(await previousRunOf(store.read))
    const held = await store.commit(async (tx) => {
      await noteWatchAgain(tx, since, now)
      await forgetUnread(tx)
      return await holdOpenSends(tx, now)
    })
    const problem = 'The database was set back to an older state: its open sends are held until their fate is known'
    log.warn({ file: runFileName, held }, problem)
  }
  await noteRun(store, file)
}
