import type { BlockchainDeps } from '../deps'
import { type NetworkLoops, networkLoops } from '../network-loops'
import { unnamedPollMs } from '../networks/networks'
import { type BatchSizes, createBatchSizes } from './batch-sizes'
import { beginSends, mostTogether } from './begin-sends'
import { createPushes, type Pushes } from './pushes'
import { claim, dueNetworks, dueSenders, type Lease, readAccepted, readOpen, release } from './queue'
import { retryAt } from './retry'
import { postpone } from './sends'
import { settleSends } from './settle-sends'

/** Carries the orders of all networks out. */
export function startSending(deps: BlockchainDeps): NetworkLoops {
  const worker: QueueWorker = {
    by: crypto.randomUUID(),
    pushes: createPushes(),
    sizes: createBatchSizes(mostTogether),
  }
  return networkLoops(
    deps,
    'sends',
    (network) => workNetwork(deps, network, worker),
    () => dueNetworks(deps.store.read, unnamedPollMs, deps.clock()),
  )
}

/** Who looks at queues: its name in their leases, and what it remembers of them. */
interface QueueWorker {
  by: string
  pushes: Pushes
  sizes: BatchSizes
}

/** One look at all queues of a network in which something is due. */
async function workNetwork(deps: BlockchainDeps, network: string, worker: QueueWorker): Promise<void> {
  const senders = await dueSenders(deps.store.read, network, pollOf(deps, network), deps.clock())
  await Promise.all(senders.map((sender) => workQueue(deps, network, sender, worker)))
}

async function workQueue(
  deps: BlockchainDeps,
  network: string,
  sender: string,
  { by, pushes, sizes }: QueueWorker,
): Promise<void> {
  const { store, log } = deps
  const lease = await store.commit((tx) => claim(tx, network, sender, by, deps.clock()))
  if (!lease) return
  try {
    const chain = await deps.networks.open(network)
    await settleSends(deps, chain, lease, pushes)
    const more = await beginSends(deps, chain, lease, { pushes, sizes })
    if (chain.settings.kind === 'simulated') await settleSends(deps, chain, lease, pushes)
    if (more) deps.wakes.wake('sends', network)
    deps.wakes.wake('transfers', network)
  } catch (error) {
    log.warn({ err: error, network, sender }, 'The queue of a sender is looked at again later')
    pushes.forget(network, sender)
    await putOff(deps, lease, error)
  } finally {
    await store.commit((tx) => release(tx, lease))
  }
}

const pollOf = ({ networks }: BlockchainDeps, network: string): number =>
  networks.find(network)?.pollMs ?? unnamedPollMs

/** Nothing is known of these orders: they stay as they are, and are looked at again. */
async function putOff(deps: BlockchainDeps, lease: Lease, error: unknown): Promise<void> {
  const { store, clock } = deps
  const reason = error instanceof Error ? error.message : String(error)
  const pollMs = pollOf(deps, lease.network)
  await store.commit(async (tx) => {
    const now = clock()
    const rows = [...(await readAccepted(tx, lease, { pollMs, now, limit: 500 })), ...(await readOpen(tx, lease, 500))]
    for (const row of rows) await postpone(tx, row, retryAt(row, pollMs, now), reason)
  })
}
