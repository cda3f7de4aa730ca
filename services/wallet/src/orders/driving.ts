import type { Envelope } from '@bursar/contracts/event'
import { WithdrawalChanged } from '@bursar/contracts/wallet'
import { again, count, isNotNull, prepared, type Worker } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { carryOut } from './carry-out'
import { claimOrders } from './claims'
import { orders } from './orders.table'

const lookMs = 250
/** Lanes side by side, so that a network that is slow to answer does not hold all up. */
const lanes = 4
/** Orders that a lane leases and works on together: they share commits and calls. */
const ordersPerLane = 64

/** Carries out what is due, now and again, until it is stopped: orders as they are accepted, and those that wait. */
export function drivingOrders(deps: WalletDeps): Worker {
  const { store, log } = deps
  let stopping = false
  const loop = again(lookMs, () => driveDue(deps, { isStopping: () => stopping }), {
    log,
    name: 'The work on orders',
  })
  const forget = store.onEvents((events) => {
    if (events.some(({ envelope }) => isNew(envelope))) void loop.wake()
  })
  return {
    idle: () => loop.idle?.() ?? true,
    async stop() {
      stopping = true
      forget()
      await loop.stop()
    },
  }
}

const isNew = ({ name, data }: Envelope): boolean =>
  name === WithdrawalChanged.name && (data as { status: string }).status === 'accepted'

/** Carries out all that is due, each order once. */
export async function driveDue(
  deps: WalletDeps,
  { now = () => new Date(), isStopping = () => false }: { now?: () => Date; isStopping?: () => boolean } = {},
): Promise<void> {
  const lane = async () => {
    while (!isStopping()) {
      const claimed = await claimOrders(deps.store, now(), ordersPerLane)
      if (claimed.length === 0) return
      await carryOut(deps, claimed, now)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** Figures of what waits. */
export function addOrderGauges({ store, metrics }: WalletDeps): void {
  metrics.add({
    name: 'bursar_orders_open',
    help: 'Orders that have not ended',
    read: async () => (await openCount(store.read).execute())[0]?.open ?? 0,
  })
}

const openCount = prepared((db) => db.select({ open: count() }).from(orders).where(isNotNull(orders.dueAt)))
