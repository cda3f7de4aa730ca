import type { ListActivation } from '@bursar/contracts/sanctions'
import type { Store } from '@bursar/store'
import { type CurrentList, type ListRow, loadList } from './current-list'
import { makeCurrent } from './lists'

/**
 * Makes a draft the list that screenings use: its filter is loaded beside the requests, and the next screening after the
 * commit uses it. Answers with the list.
 */
export async function useList(
  { store, list }: { store: Store; list: CurrentList },
  id: number,
  activation: ListActivation,
  now: Date,
): Promise<ListRow> {
  const row = await store.commit((tx) => makeCurrent(tx, id, activation, now))
  const loaded = await loadList(store, row)
  // Loaded side by side, the older list must not come last.
  if (loaded.row.id > list.get().row.id) list.set(loaded)
  return row
}
