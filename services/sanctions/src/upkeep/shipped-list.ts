import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ListEntry, type ListedName, type ListOrigin, mostEntriesPerCall } from '@bursar/contracts/sanctions'
import type { Db, Store } from '@bursar/store'
import { findCurrent } from '../lists/current-list'
import { addEntries, createDraft, makeCurrent } from '../lists/lists'
import { addNames } from '../names/names'

const folder = fileURLToPath(new URL('../../ofac', import.meta.url))

/** The list that comes with the service (ofac/README.md). */
const shippedOrigin: ListOrigin = {
  name: 'OFAC SDN',
  source: 'built in',
  publishedAt: '2024-09-27T00:00:00.000Z',
}

/** Its entries and names. The files have no ids: an entry's id is its asset code and address. */
async function readShipped(): Promise<{ entries: ListEntry[]; names: ListedName[]; checksum: string }> {
  const hasher = new Bun.CryptoHasher('sha256')
  const entries: ListEntry[] = []
  const files = (await readdir(folder)).filter((file) => file.endsWith('.txt')).sort()
  for (const file of files) {
    const text = await Bun.file(join(folder, file)).text()
    hasher.update(text)
    const asset = file.slice(0, -'.txt'.length)
    for (const address of linesOf(text)) {
      entries.push({ entryId: `${asset}:${address}`.slice(0, 64), asset, address, name: null })
    }
  }
  const excerpt = await Bun.file(join(folder, 'names/excerpt.txt')).text()
  hasher.update(excerpt)
  const names = linesOf(excerpt).map((name) => ({ entryId: name.slice(0, 64), name }))
  return { entries, names, checksum: hasher.digest('hex') }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Stores the shipped list when there is none, an older one, or the shipped one without names. */
export async function ensureList(store: Store, now: Date): Promise<void> {
  if (!(await isNeeded(store.read))) return
  const { entries, names, checksum } = await readShipped()
  await store.commit(async (tx) => {
    // Another instance has stored it meanwhile, or an operator a newer one.
    if (!(await isNeeded(tx))) return
    const { id } = await createDraft(tx, shippedOrigin, now)
    for (let first = 0; first < entries.length; first += mostEntriesPerCall) {
      await addEntries(tx, id, first, entries.slice(first, first + mostEntriesPerCall))
    }
    await addNames(tx, id, 0, names)
    const activation = { checksum, entries: entries.length, names: names.length, force: true }
    await makeCurrent(tx, id, activation, now)
  })
}

async function isNeeded(db: Db): Promise<boolean> {
  const current = await findCurrent(db)
  const isItsOwn = current?.source === shippedOrigin.source && current.names === 0
  return !current || isItsOwn || current.publishedAt < new Date(shippedOrigin.publishedAt)
}
