import { type Again, again, type Worker } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { beginSends } from './begin-sends'
import { claim, dueSenders, type Lease, readAccepted, readOpen, release } from './queue'
import { retryAt } from './retry'
import { postpone } from './sends'
import { settleSends } from './settle-sends'

/** Carries the orders of all networks out. */
export interface SendingWorker extends Worker {
  /** Looks at a network's due orders now. */
  wake(network: string): Promise<void>
}

export function startSending(deps: BlockchainDeps, { by = crypto.randomUUID() }: { by?: string } = {}): SendingWorker {
  const loops = new Map<string, Again>()
  const loopOf = (network: string): Again => {
    const settings = deps.networks.find(network)
    const known = loops.get(network)
    if (known) return known
    const loop = again(settings?.pollMs ?? 2000, () => workNetwork(deps, network, by), {
      log: deps.log,
      name: `The sending on ${network}`,
    })
    loops.set(network, loop)
    return loop
  }
  for (const { name } of deps.networks.named) loopOf(name)
  deps.wakes.on('sends', (network) => void loopOf(network).wake())
  return {
    wake: (network) => loopOf(network).wake(),
    async stop() {
      await Promise.all([...loops.values()].map((loop) => loop.stop()))
    },
  }
}

/** One look at all queues of a network in which something is due. */
async function workNetwork(deps: BlockchainDeps, network: string, by: string): Promise<void> {
  const senders = await dueSenders(deps.store.read, network, new Date())
  await Promise.all(senders.map((sender) => workQueue(deps, network, sender, by)))
}

async function workQueue(deps: BlockchainDeps, network: string, sender: string, by: string): Promise<void> {
  const { store, log } = deps
  const lease = await store.commit((tx) => claim(tx, network, sender, by, new Date()))
  if (!lease) return
  try {
    const chain = await deps.networks.open(network)
    await settleSends(deps, chain, lease)
    const more = await beginSends(deps, chain, lease)
    if (chain.settings.kind === 'simulated') await settleSends(deps, chain, lease)
    if (more) deps.wakes.wake('sends', network)
    deps.wakes.wake('transfers', network)
  } catch (error) {
    log.warn({ err: error, network, sender }, 'The queue of a sender is looked at again later')
    await putOff(deps, lease, error)
  } finally {
    await store.commit((tx) => release(tx, lease))
  }
}

/** Nothing is known of these orders: they stay as they are, and are looked at again. */
async function putOff({ store }: BlockchainDeps, lease: Lease, error: unknown): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error)
  await store.commit(async (tx) => {
    const now = new Date()
    const rows = [...(await readAccepted(tx, lease, now, 500)), ...(await readOpen(tx, lease, 500))]
    for (const row of rows) await postpone(tx, row, retryAt(row, now), reason)
  })
}
