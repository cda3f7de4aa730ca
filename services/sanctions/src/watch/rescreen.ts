import type { ScreeningSource } from '@bursar/contracts/sanctions'
import { and, count, eq, every, type Loop, lt, param, prepared, sql } from '@bursar/store'
import type { SanctionsDeps } from '../deps'
import { findList } from '../lists/current-list'
import { lists } from '../lists/lists.table'
import { askList } from '../sources/ask-list'
import { reportHit, type WatchedRow } from './watch'
import { watchedAddresses } from './watched-addresses.table'

type RescreenDeps = Pick<SanctionsDeps, 'store' | 'list' | 'now' | 'config'>

const lookMs = 2000
/** Addresses screened in one commit. */
const chunk = 200

/** Screens every watched address again, in chunks, whenever there is a newer list. */
export const rescreening = (deps: SanctionsDeps): Loop =>
  every(lookMs, (store) => rescreen({ ...deps, store }), {
    log: deps.log,
    name: 'Screening with a new list',
    alone: deps.store,
  })

/** Works until every watched address has been screened with the list in use. Returns the number of new hits. */
export async function rescreen(deps: RescreenDeps): Promise<number> {
  let hits = 0
  for (;;) {
    const inUse = (await deps.list.refresh(deps.store)).row.id
    const rows = await watchedBefore(deps.store.read).execute({ inUse, limit: chunk })
    if (rows.length === 0) return hits
    hits += await rescreenSome(deps, rows)
  }
}

async function rescreenSome(deps: RescreenDeps, rows: readonly WatchedRow[]): Promise<number> {
  const { store, now, config } = deps
  const { listId, sources } = await askList(deps, rows)
  const at = now()
  return await store.commit(async (tx) => {
    let screened = 0
    let hits = 0
    for (const row of rows) {
      const source = sources.get(row.key) as ScreeningSource
      const listed = source.match
      const values = { key: row.key, participantId: row.participantId, listId, listed, before: row.listId }
      const [changed] = await setVerdict(tx).execute(values)
      // Another worker did it first.
      if (!changed) continue
      screened += 1
      if (!listed || row.listed) continue
      hits += 1
      await reportHit(tx, row, source, { at, callbackUrl: config.callbackUrl })
    }
    await addProgress(tx).execute({ id: listId, screened, hits })
    return hits
  })
}

export function addRescreenGauges({ store, metrics, list }: SanctionsDeps): void {
  metrics.add({
    name: 'bursar_sanctions_rescreen_left',
    help: 'Watched addresses not yet screened with the list in use',
    async read() {
      const inUse = (await list.refresh(store)).row.id
      return (await leftBefore(store.read).execute({ inUse }))[0]?.left ?? 0
    },
  })
  metrics.addLabelled({
    name: 'bursar_sanctions_rescreened',
    help: 'Watched addresses screened with the list in use since its activation, and those newly listed',
    label: 'what',
    read: async () => {
      const row = await findList(store.read, (await list.refresh(store)).row.id)
      return { addresses: row?.rescreened ?? 0, hits: row?.rescreenHits ?? 0 }
    },
  })
}

const isBefore = lt(watchedAddresses.listId, param('inUse'))
const watchedBefore = prepared((db) => db.select().from(watchedAddresses).where(isBefore).limit(param('limit')))
const leftBefore = prepared((db) => db.select({ left: count() }).from(watchedAddresses).where(isBefore))
const setVerdict = prepared((db) =>
  db
    .update(watchedAddresses)
    .set({ listId: param('listId'), listed: param('listed') })
    .where(
      and(
        eq(watchedAddresses.key, param('key')),
        eq(watchedAddresses.participantId, param('participantId')),
        eq(watchedAddresses.listId, param('before')),
      ),
    )
    .returning({ key: watchedAddresses.key }),
)
const addProgress = prepared((db) =>
  db
    .update(lists)
    .set({
      rescreened: sql`${lists.rescreened} + cast(${param('screened')} as integer)`,
      rescreenHits: sql`${lists.rescreenHits} + cast(${param('hits')} as integer)`,
    })
    .where(eq(lists.id, param('id'))),
)
