import type { LaneFigures, OpenStore } from '@bursar/store'

/** What became of the transactions of a store on a server while something was done. */
export async function lanesDuring(store: OpenStore, work: () => Promise<unknown>): Promise<LaneFigures> {
  const { lanes } = store as OpenStore & { lanes(): LaneFigures }
  const before = lanes()
  await work()
  const after = lanes()
  const rise = (name: keyof LaneFigures) => after[name] - before[name]
  return {
    transactions: rise('transactions'),
    bodies: rise('bodies'),
    conflicts: rise('conflicts'),
    left: rise('left'),
    failures: rise('failures'),
  }
}
