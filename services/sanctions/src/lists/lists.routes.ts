import { t } from '@bursar/contracts/schema'
import { operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { SanctionsDeps } from '../deps'
import { findList, type ListRow } from './current-list'
import { ageDays, oldDays, versionOf } from './list-age'
import { lastListFailure } from './lists'
import { SanctionsList } from './lists.model'

const hourMs = 60 * 60 * 1000

/** Not in the specification: the list that screenings use, and its age. */
export const listRoutes = ({ store, list, now }: Pick<SanctionsDeps, 'store' | 'list' | 'now'>) =>
  new Elysia({ prefix: '/sanctions/lists', tags: ['Sanctions'] }).get(
    '/',
    async () => {
      const { row: loaded } = await list.refresh(store)
      // How many addresses were screened again with it grows after it was loaded.
      const row = (await findList(store.read, loaded.id)) ?? loaded
      const failure = await lastListFailure(store.read)
      const isLater = failure && (row.activatedAt === null || failure.at > row.activatedAt)
      const lastFailure = isLater
        ? { at: failure.at.toISOString(), origin: failure.source, reason: failure.reason }
        : null
      return [{ ...toSanctionsList(row, now()), lastFailure }]
    },
    {
      response: { 200: response(t.Array(SanctionsList)) },
      detail: operation('listSanctionsLists', 'List the lists in use with their age'),
    },
  )

const toSanctionsList = (row: ListRow, at: Date): Omit<SanctionsList, 'lastFailure'> => ({
  source: row.name,
  origin: row.source,
  version: versionOf(row),
  publishedAt: row.publishedAt.toISOString(),
  loadedAt: row.activatedAt?.toISOString() ?? null,
  checksum: row.checksum,
  entries: row.entries,
  names: row.names,
  ageHours: Math.max(0, Math.floor((at.getTime() - row.publishedAt.getTime()) / hourMs)),
  isOld: ageDays(row, at) > oldDays,
  rescreened: row.rescreened,
  rescreenHits: row.rescreenHits,
})
