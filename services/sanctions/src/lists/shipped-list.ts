import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ListEntry, type ListOrigin, mostEntriesPerCall } from '@bursar/contracts/sanctions'
import type { Store } from '@bursar/store'
import { findCurrent, type ListRow } from './current-list'
import { addEntries, createDraft, makeCurrent } from './lists'

const folder = fileURLToPath(new URL('../../ofac', import.meta.url))

/** The list that comes with the service (ofac/README.md). */
export const shippedOrigin: ListOrigin = {
  name: 'OFAC SDN',
  source: 'built in',
  publishedAt: '2024-09-27T00:00:00.000Z',
}

/** Its entries. The files have no ids of their own: an entry is named by its asset code and address. */
export async function readShipped(): Promise<{ entries: ListEntry[]; checksum: string }> {
  const hasher = new Bun.CryptoHasher('sha256')
  const entries: ListEntry[] = []
  const files = (await readdir(folder)).filter((file) => file.endsWith('.txt')).sort()
  for (const file of files) {
    const text = await Bun.file(join(folder, file)).text()
    hasher.update(text)
    const asset = file.slice(0, -'.txt'.length)
    const addresses = text.split('\n').map((line) => line.trim())
    for (const address of addresses.filter((line) => line !== '')) {
      entries.push({ entryId: `${asset}:${address}`.slice(0, 64), asset, address, name: null })
    }
  }
  return { entries, checksum: hasher.digest('hex') }
}

/** The current list; the shipped one is stored first when there is none, or only an older one. */
export async function ensureList(store: Store, now: Date): Promise<ListRow> {
  const current = await findCurrent(store.read)
  if (current && current.publishedAt >= new Date(shippedOrigin.publishedAt)) return current
  const { entries, checksum } = await readShipped()
  return await store.commit(async (tx) => {
    const { id } = await createDraft(tx, shippedOrigin, now)
    for (let first = 0; first < entries.length; first += mostEntriesPerCall) {
      await addEntries(tx, id, first, entries.slice(first, first + mostEntriesPerCall))
    }
    return await makeCurrent(tx, id, { checksum, entries: entries.length, force: true }, now)
  })
}
