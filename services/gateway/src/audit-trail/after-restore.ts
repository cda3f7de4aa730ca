import { join } from 'node:path'
import type { Deps } from '@bursar/http'
import { metaValue, noteRun, putMetaValue, wasSetBack } from '@bursar/store'
import type { Act } from './act'
import { createAudit } from './audit'
import { lastRowOf } from './trail'

/** Beside the database, and in no backup: the epoch that the last run began. */
const runFileName = 'gateway.run'

/** Names the run file in a database that has been run with one. */
const markName = 'run_file'

/**
 * Has the audit trail say so when the database was set back to an older state: what was done since then is in it no more,
 * and its rows' numbers are given again. A database that no run has noted yet is of a version before run files.
 */
export async function noteRestore(
  { store, log, now }: Pick<Deps, 'store' | 'log' | 'now'>,
  dataDir: string,
): Promise<void> {
  const file = join(dataDir, runFileName)
  const isNoted = (await metaValue(store.read, markName)) !== undefined
  if (isNoted && (await wasSetBack(store.read, file))) {
    const last = await lastRowOf(store.read)
    const since = last ? ` after row ${last.number} (${last.at.toISOString()})` : ''
    const problem = `The database was set back to an older state: what was done${since} is in this trail no more`
    log.warn({ file: runFileName }, problem)
    await createAudit({ store, log, now }).note(theRestore(), { status: 200, problem })
  }
  await noteRun(store, file)
  if (!isNoted) await store.commit((tx) => putMetaValue(tx, markName, runFileName))
}

const theRestore = (): Act => ({
  actor: { door: 'start', id: 'gateway', roles: [], session: null, address: 'this machine' },
  service: 'gateway',
  action: 'START after a restore',
  object: null,
  requestId: `start-${Bun.randomUUIDv7()}`,
  request: undefined,
})
