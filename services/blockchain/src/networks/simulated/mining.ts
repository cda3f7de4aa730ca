import { every, type Loop } from '@bursar/store'
import type { BlockchainDeps } from '../../deps'
import { addBlock, headOf } from './blocks'
import { simulatedHeads } from './heads'

const blockMs = 250

/** Adds empty blocks to simulated networks until their last transactions have their confirmations. */
export const startMining = (deps: BlockchainDeps): Loop =>
  every(blockMs, (store) => mine({ ...deps, store }), {
    log: deps.log,
    name: 'Mining simulated blocks',
    alone: deps.store,
  })

/** One block for each network that needs one. */
export async function mine({ store, networks, config, wakes, clock }: BlockchainDeps): Promise<void> {
  if (config.simulatedConfirmations === 1) return
  for (const { network, used } of await simulatedHeads(store.read)) {
    const settings = networks.find(network)
    if (settings?.kind !== 'simulated') continue
    const isMined = await store.commit(async (tx) => {
      if ((await headOf(tx, network)) - used + 1 >= settings.confirmations) return false
      await addBlock(tx, settings, [], clock())
      return true
    })
    if (!isMined) continue
    wakes.wake('transfers', network)
    wakes.wake('sends', network)
  }
}
