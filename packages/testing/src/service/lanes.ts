import type { Keys, LaneFigures, OpenStore } from '@bursar/store'

/**
 * What becomes of commits with keys that arrive together at a store on a server: the first transaction begins when so many
 * of them wait, however slowly they come. Commits without a key, as the signs of life are, run alone and are not counted.
 */
export async function lanesTogether(
  store: OpenStore,
  count: number,
  work: () => Promise<unknown>,
): Promise<Pick<LaneFigures, 'transactions' | 'bodies' | 'left'>> {
  const { lanes } = store as OpenStore & { lanes(): LaneFigures }
  const { commit } = store
  const all = Promise.withResolvers<void>()
  let before = lanes()
  let keyed = 0
  let alone = 0
  store.commit = (body, keys?: Keys, options?) => {
    if (keys === undefined || keys.length === 0) alone += 1
    else keyed += 1
    if (keyed === count) all.resolve()
    return commit(body, keys, options)
  }
  const hold = () => {
    // What was committed before is none of this.
    before = lanes()
    alone = 1
    return all.promise
  }
  try {
    await Promise.all([store.commit(hold), work().finally(all.resolve)])
    await store.commit(async () => {})
  } finally {
    store.commit = commit
  }
  const after = lanes()
  const rise = (name: keyof LaneFigures) => after[name] - before[name]
  return { transactions: rise('transactions') - alone, bodies: rise('bodies') - alone, left: rise('left') }
}
