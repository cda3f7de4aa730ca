import { join } from 'node:path'
import { metaValue, putMetaValue, readRunFile, type Store, type Tx, writeRunFile } from '@bursar/store'

/** How contract payments are read. Each method gives the same payment a different index. */
export type InnerMethod = 'traces' | 'balances'

/** The method by which blocks of a network were read, and must be reread. */
export interface InnerMethods {
  /**
   * The method for a block; `offered` is the node's method. The first block decides for all later ones, until a block
   * that was never read, for which the node offers the other method.
   */
  methodOf(network: string, block: number, offered: InnerMethod, head: () => Promise<number>): Promise<InnerMethod>
}

/** From a block on. */
interface Way {
  from: number
  by: InnerMethod
}

/** Beside the database, and not in backups, which would lack a later change of the method. */
const runFileName = 'blockchain-payments.run'
const names = { ways: 'inner_ways', unread: 'inner_unread' } as const

/** `isRestored`: the database was ever restored from an older backup. */
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
  /** No block from this one on was read, by this run or, as far as known, before a restore. */
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

/** Blocks read before a restore are unknown: up to the next head, any may have been. */
export const forgetUnread = (tx: Tx): Promise<unknown> => putMetaValue(tx, names.unread, '{}')

async function readMap<V>(store: Store, name: string): Promise<Map<string, V>> {
  return new Map(Object.entries(JSON.parse((await metaValue(store.read, name)) ?? '{}')))
}

/** The file takes precedence over the database: methods are only ever added. */
async function readWays(store: Store, file: string): Promise<Map<string, Way[]>> {
  const ways = await readMap<Way[]>(store, names.ways)
  for (const [network, noted] of Object.entries((readRunFile(file) ?? {}) as Record<string, Way[]>)) {
    if (noted.length > (ways.get(network)?.length ?? 0)) ways.set(network, noted)
  }
  return ways
}
