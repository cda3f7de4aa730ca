import { type WorkLoop, workOn } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { carryOut } from './carry-out'
import { orderQueue } from './orders'

/** Carries out what is due, until it is stopped: orders as they are accepted, and those that wait. */
export function drivingOrders(deps: WalletDeps): WorkLoop {
  const { store, clock, log, wakes } = deps
  const loop = workOn(orderQueue, {
    store,
    now: clock,
    log,
    name: 'The work on orders',
    handle: (orders) => carryOut(deps, orders),
    // Side by side, so that a network that is slow to answer does not hold all up.
    places: 4,
    // They share commits and calls.
    batch: 64,
    lookMs: 250,
  })
  wakes.on(() => void loop.wake())
  return {
    ...loop,
    async stop() {
      wakes.on(() => {})
      await loop.stop()
    },
  }
}

/** Figures of what waits. */
export function addOrderGauges({ store, metrics }: WalletDeps): void {
  metrics.add({
    name: 'bursar_orders_open',
    help: 'Orders that have not ended',
    read: async () => (await orderQueue.backlog(store.read)).depth,
  })
}
