import { type WorkLoop, workOn } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { carryOut } from './carry-out'
import { orderQueue } from './orders'

/** Carries out due orders until stopped: newly accepted ones, and those that wait. */
export function drivingOrders(deps: WalletDeps): WorkLoop {
  const { store, clock, log, wakes } = deps
  const loop = workOn(orderQueue, {
    store,
    now: clock,
    log,
    name: 'The execution of orders',
    handle: (orders) => carryOut(deps, orders),
    // In parallel, so that a slow network does not delay all.
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

/** Gauges of waiting orders. */
export function addOrderGauges({ store, metrics }: WalletDeps): void {
  metrics.add({
    name: 'bursar_orders_open',
    help: 'Orders that have not ended',
    read: async () => (await orderQueue.backlog(store.read)).depth,
  })
}
