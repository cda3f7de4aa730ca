import { join } from 'node:path'
import { type Db, metaValue, putMetaValue, readRunFile, type Store, type Tx, writeRunFile } from '@bursar/store'

/** How contract payments are read. Each method gives the same payment a different index. */
export type InnerMethod = 'traces' | 'balances'

/** The method by which blocks of a network were read, and must be reread. */
export interface InnerMethods {
  /**
   * The method for a block; `offered` is the nodes' method, null while it is not known. The first block decides for all
   * later ones, until a block that was never read, for which the nodes offer the other method.
   */
  methodOf(
    network: string,
    block: number,
    offered: InnerMethod | null,
    head: () => Promise<number>,
  ): Promise<InnerMethod>
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
  const unread = await readMap<number>(store.read, names.unread)
  /** By network: neither this block nor a later one was read by this run. */
  const nexts = new Map<string, number>()

  async function keepWays(): Promise<void> {
    const all = await store.commit(async (tx) => {
      // Another instance may have added some.
      const merged = withLonger(await readMap<Way[]>(tx, names.ways), ways)
      await putMetaValue(tx, names.ways, JSON.stringify(Object.fromEntries(merged)))
      return merged
    })
    for (const [network, each] of all) ways.set(network, each)
    await writeRunFile(file, () => Object.fromEntries(ways))
  }
  // A crash may have kept them out of the file, and a restore out of the database.
  if (ways.size > 0) await keepWays()

  /** No block from this one on was read, by any run or, as far as known, before a restore. */
  async function unreadFrom(network: string, next: number, head: () => Promise<number>): Promise<number> {
    if (!isRestored) return next
    if (!unread.has(network)) {
      unread.set(network, (await head()) + 1)
      await store.commit(async (tx) => {
        // Another instance may have added some.
        const all = new Map([...(await readMap<number>(tx, names.unread)), ...unread])
        await putMetaValue(tx, names.unread, JSON.stringify(Object.fromEntries(all)))
      })
    }
    return Math.max(next, unread.get(network) ?? 0)
  }

  return {
    async methodOf(network, block, offered, head) {
      const next = nexts.get(network) ?? block
      const newest = ways.get(network)?.at(-1)
      const by = offered ?? newest?.by ?? 'balances'
      // Without the node that has them nothing can be read by traces.
      if (offered !== null || by === 'balances') nexts.set(network, Math.max(next, block + 1))
      if (!newest || (newest.by !== by && block >= (await unreadFrom(network, next, head)))) {
        ways.set(network, [...(ways.get(network) ?? []), { from: block, by }])
        await keepWays()
      }
      const known = ways.get(network) ?? []
      return (known.findLast(({ from }) => from <= block) ?? known[0])?.by ?? by
    },
  }
}

/** Blocks read before a restore are unknown: up to the next head, any may have been. */
export const forgetUnread = (tx: Tx): Promise<unknown> => putMetaValue(tx, names.unread, '{}')

async function readMap<V>(db: Db, name: string): Promise<Map<string, V>> {
  return new Map(Object.entries(JSON.parse((await metaValue(db, name)) ?? '{}')))
}

async function readWays(store: Store, file: string): Promise<Map<string, Way[]>> {
  const noted = (readRunFile(file) ?? {}) as Record<string, Way[]>
  return withLonger(await readMap<Way[]>(store.read, names.ways), Object.entries(noted))
}

/** Of each network the longer one: methods are only ever added. */
function withLonger(ways: Map<string, Way[]>, others: Iterable<[string, Way[]]>): Map<string, Way[]> {
  for (const [network, each] of others) if (each.length > (ways.get(network)?.length ?? 0)) ways.set(network, each)
  return ways
}
