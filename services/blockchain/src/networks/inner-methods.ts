import { join } from 'node:path'
import { metaValue, putMetaValue, readRunFile, type Store, type Tx, writeRunFile } from '@bursar/store'

/** How what contracts pay is seen. The same payment has another place by the other way. */
export type InnerMethod = 'traces' | 'balances'

/** By which way the blocks of a network were read, and are to be read again. */
export interface InnerMethods {
  /**
   * The way for a block; `offered` is what the node has. The first block decides for all behind it, until one comes that
   * was never read, for which the node offers the other way.
   */
  methodOf(network: string, block: number, offered: InnerMethod, head: () => Promise<number>): Promise<InnerMethod>
}

/** From a block on. */
interface Way {
  from: number
  by: InnerMethod
}

/** Beside the database, and in no backup: a change of the way after a backup is not in that. */
const runFileName = 'blockchain-payments.run'
const names = { ways: 'inner_ways', unread: 'inner_unread' } as const

/** `isRestored`: the database was ever set back to an older state. */
export async function createInnerMethods(store: Store, dataDir: string, isRestored: boolean): Promise<InnerMethods> {
  const file = join(dataDir, runFileName)
  const ways = await readWays(store, file)
  const unread = await readMap<number>(store, names.unread)
  const firsts = new Map<string, number>()

  async function addWay(network: string, way: Way): Promise<void> {
    ways.set(network, [...(ways.get(network) ?? []), way])
    const content = Object.fromEntries(ways)
    await store.commit((tx) => putMetaValue(tx, names.ways, JSON.stringify(content)))
    await writeRunFile(file, content)
  }
  /** No block from this one on was read, by this run or, as far as is known, before a restore. */
  async function unreadFrom(network: string, head: () => Promise<number>): Promise<number> {
    const first = firsts.get(network) ?? 0
    if (!isRestored) return first
    if (!unread.has(network)) {
      unread.set(network, (await head()) + 1)
      await store.commit((tx) => putMetaValue(tx, names.unread, JSON.stringify(Object.fromEntries(unread))))
    }
    return Math.max(first, unread.get(network) ?? 0)
  }

  return {
    async methodOf(network, block, offered, head) {
      if (!firsts.has(network)) firsts.set(network, block)
      const newest = ways.get(network)?.at(-1)
      const isOther = newest !== undefined && newest.by !== offered
      if (!newest || (isOther && block >= (await unreadFrom(network, head)))) {
        await addWay(network, { from: block, by: offered })
      }
      const known = ways.get(network) ?? []
      return (known.findLast(({ from }) => from <= block) ?? known[0])?.by ?? offered
    },
  }
}

/** What was read before a restore is not known: up to the head that is seen next. */
export const forgetUnread = (tx: Tx): Promise<unknown> => putMetaValue(tx, names.unread, '{}')

async function readMap<V>(store: Store, name: string): Promise<Map<string, V>> {
  return new Map(Object.entries(JSON.parse((await metaValue(store.read, name)) ?? '{}')))
}

/** What the file knows beyond the database counts: ways are only ever added. */
async function readWays(store: Store, file: string): Promise<Map<string, Way[]>> {
  const ways = await readMap<Way[]>(store, names.ways)
  for (const [network, noted] of Object.entries((readRunFile(file) ?? {}) as Record<string, Way[]>)) {
    if (noted.length > (ways.get(network)?.length ?? 0)) ways.set(network, noted)
  }
  return ways
}
