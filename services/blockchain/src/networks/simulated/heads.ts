import { type Db, desc, eq, gt, max, param, prepared, sql } from '@bursar/store'
import { simulatedBlocks, simulatedTransactions } from './simulated.table'

/** The networks with blocks, with the newest block that holds a transaction and the newest of all. */
export async function simulatedHeads(db: Db): Promise<{ network: string; used: number; head: number }[]> {
  const heads = []
  // One at a time, each found by its index: a network may have a million blocks.
  for (let after = ''; ; ) {
    const [next] = await nextHead(db).execute({ after })
    if (!next) return heads
    const { network, number: head } = next
    const [used] = await usedHead(db).execute({ network })
    heads.push({ network, head, used: used?.block ?? 0 })
    after = network
  }
}

/** The newest block of the network whose name comes next. */
const nextHead = prepared((db) =>
  db
    .select({ network: simulatedBlocks.network, number: simulatedBlocks.number })
    .from(simulatedBlocks)
    .where(
      eq(
        simulatedBlocks.network,
        db
          .select({ next: sql`min(${simulatedBlocks.network})` })
          .from(simulatedBlocks)
          .where(gt(simulatedBlocks.network, param('after'))),
      ),
    )
    .orderBy(desc(simulatedBlocks.number))
    .limit(1),
)
const usedHead = prepared((db) =>
  db
    .select({ block: max(simulatedTransactions.block) })
    .from(simulatedTransactions)
    .where(eq(simulatedTransactions.network, param('network'))),
)
