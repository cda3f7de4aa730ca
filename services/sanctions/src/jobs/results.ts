import type { AddressResult } from '@bursar/contracts/sanctions'
import type { Db } from '@bursar/store'
import { findList, type ListRow } from '../lists/current-list'
import { listProvider, listSource } from '../sources/ask-list'
import type { ScreenedAddress } from '../watch/watch'
import type { JobRow, ReadJob, Result } from './jobs'
import type { ClearResult } from './jobs.table'

/** A result as its job keeps it: who asked for it has the whole text, so here a clear one is not kept again. */
export function keptResult(
  { subject, blockchain }: Pick<JobRow, 'subject' | 'blockchain'>,
  result: Result,
  [screened]: readonly ScreenedAddress[],
): Result | ClearResult {
  const [first, ...others] = result.sources
  const isClear = !result.sanctioned && first?.provider === listProvider && screened !== undefined
  const isOfJob = 'address' in result && result.address === subject && result.blockchain === blockchain
  return isClear && isOfJob ? { listId: screened.listId, others, checkedAt: result.checkedAt } : result
}

/** Jobs with their whole results, in their order. */
export async function readResults(db: Db, jobs: readonly JobRow[]): Promise<ReadJob[]> {
  const named = new Set(jobs.flatMap(({ result }) => (isKeptClear(result) ? [result.listId] : [])))
  const known = new Map<number, ListRow>()
  for (const id of named) {
    const row = await findList(db, id)
    if (row) known.set(id, row)
  }
  return jobs.map((job) => {
    const { result } = job
    return isKeptClear(result)
      ? { ...job, result: wholeResult(job, result, known), listId: result.listId }
      : { ...job, result }
  })
}

function wholeResult(
  { subject: address, blockchain }: JobRow,
  { listId, others, checkedAt }: ClearResult,
  known: ReadonlyMap<number, ListRow>,
): AddressResult {
  const row = known.get(listId)
  if (!row) throw new Error(`A result names the list ${listId}, which is gone`)
  const sources = [listSource(row, [], new Date(checkedAt)), ...others]
  return { address, blockchain, sanctioned: false, sources, checkedAt }
}

const isKeptClear = (result: JobRow['result']): result is ClearResult => result !== null && 'listId' in result
