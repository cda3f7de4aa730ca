import { getPendingTransactions } from '@bursar/contracts/core-ledger'
import { every, type Loop, metaValue, putMetaValue } from '@bursar/store'
import type { SanctionsDeps } from '../deps'
import { watchUnknown } from './screen-ledger-transaction'

const placeName = 'counterparties known until'
const everyMs = 60_000
/** Events are seldom later. */
const lateMs = 5 * 60_000
const pageSize = 100

/**
 * Once, a minute after the start: watches the counterparties of the ledger's transactions that this service does not know. A
 * restore of its database alone forgot those since the backup, and their events do not come again. Until when it knows them
 * stands in the database, and is set back with it.
 */
export function watchingForgotten(deps: SanctionsDeps): Loop {
  let isDone = false
  const work = async (store: SanctionsDeps['store']) => {
    const until = new Date(deps.now().getTime() - lateMs).toISOString()
    if (!isDone) await watchForgotten({ ...deps, store })
    isDone = true
    await store.commit((tx) => putMetaValue(tx, placeName, until))
  }
  return every(everyMs, work, { log: deps.log, name: 'Watching forgotten counterparties', alone: deps.store })
}

async function watchForgotten(deps: SanctionsDeps): Promise<void> {
  const from = (await metaValue(deps.store.read, placeName)) ?? new Date(0).toISOString()
  for (let after: string | undefined; ; ) {
    const query = { from, limit: String(pageSize), ...(after === undefined ? {} : { after }) }
    const page = await deps.client.call(getPendingTransactions, { query })
    await deps.store.commit((tx) => watchUnknown(tx, deps, page))
    if (page.length < pageSize) return
    after = page.at(-1)?.id
  }
}
