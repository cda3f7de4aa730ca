import { join } from 'node:path'
import type { Deps } from '@bursar/http'
import { metaValue, noteRun, previousEpochOf, putMetaValue, readRunFile, wasSetBack } from '@bursar/store'
import { forgetUnread } from '../networks/inner-methods'
import { holdOpenSends } from './restored-sends'
import { noteWatchAgain } from './watch-again'

/** Beside the database, and in no backup: the epoch that the last run began. */
const runFileName = 'blockchain.run'

/** Names the run file in a database that has been run with one. */
const markName = 'run_file'

/**
 * Holds the sends of a database that was set back to an older state: it does not say what was signed and paid since then.
 * What the chains hold is read again from where the old state had come to. A database without the mark, beside which there
 * is no run file, is of a version before run files.
 */
export async function noteRestore({ store, log }: Pick<Deps, 'store' | 'log'>, dataDir: string): Promise<void> {
  const file = join(dataDir, runFileName)
  const isMarked = (await metaValue(store.read, markName)) !== undefined
  const isNoted = isMarked || readRunFile(file) !== null
  if (isNoted && (await wasSetBack(store.read, file))) {
    const since = new Date(await previousEpochOf(store.read))
    const held = await store.commit(async (tx) => {
      const now = new Date()
      await noteWatchAgain(tx, since, now)
      await forgetUnread(tx)
      return await holdOpenSends(tx, now)
    })
    const problem = 'The database was set back to an older state: its open sends are held until their fate is known'
    log.warn({ file: runFileName, held }, problem)
  }
  await noteRun(store.read, file)
  if (!isMarked) await store.commit((tx) => putMetaValue(tx, markName, runFileName))
}
