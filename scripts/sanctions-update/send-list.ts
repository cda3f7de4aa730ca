import {
  activateList,
  addListEntries,
  addListNames,
  beginList,
  type ListState,
  mostEntriesPerCall,
} from '@bursar/contracts/sanctions'
import type { Client } from '@bursar/http'
import type { ReadList } from './read-list'

const entriesPerLine = 100_000

/** Sends a list to the running service, a part at a time, and activates it. Rejects with CallError. */
export async function sendList(
  client: Client,
  { name, source, publishedAt, entries, names, checksum }: ReadList,
  { force, tell }: { force: boolean; tell: (progress: string) => void },
): Promise<ListState> {
  const draft = await client.call(beginList, { body: { name, source, publishedAt } })
  const params = { id: String(draft.id) }
  for (let first = 0; first < entries.length; first += mostEntriesPerCall) {
    const part = { first, entries: entries.slice(first, first + mostEntriesPerCall) }
    await client.call(addListEntries, { params, body: part })
    if (first > 0 && first % entriesPerLine === 0) tell(`  ${first} of ${entries.length} entries sent`)
  }
  for (let first = 0; first < names.length; first += mostEntriesPerCall) {
    const part = { first, names: names.slice(first, first + mostEntriesPerCall) }
    await client.call(addListNames, { params, body: part })
  }
  const body = { checksum, entries: entries.length, names: names.length, force }
  return await client.call(activateList, { params, body })
}
