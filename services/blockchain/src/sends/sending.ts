import { messageOf } from '@bursar/contracts/log'
import { batched, LeaseLostError, sideBySide, type WorkLoop, workOn } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { unnamedPollMs } from '../networks/networks'
import { beginSends } from './begin-sends'
import { giveBack, readAccepted, readOpen, type Sender, senderQueue } from './queue'
import { createSenderMemory, type SenderMemory } from './sender-memory'
import { findSends, retryLater, tellUntold } from './sends'
import { settleSends } from './settle-sends'

/** Sends the orders of all networks. */
export function startSending(deps: BlockchainDeps): WorkLoop {
  const { store, clock, log, networks, wakes } = deps
  const memory = createSenderMemory()
  const loop = workOn(senderQueue, {
    store,
    now: clock,
    log,
    name: 'Sending',
    handle: (senders) => sideBySide(senders, (sender) => workSender(deps, sender, memory)),
    // A slow network delays only itself.
    byLane: true,
    places: 32,
    lookMs: Math.min(unnamedPollMs, ...networks.named.map(({ pollMs }) => pollMs)),
  })
  wakes.on('sends', () => void loop.wake())
  return loop
}

/** One pass over a sender's queue. */
async function workSender(deps: BlockchainDeps, sender: Sender, memory: SenderMemory): Promise<void> {
  const { store, log, networks, wakes } = deps
  const { network, address } = sender
  let begun: string[] = []
  try {
    const chain = await networks.open(network)
    await settleSends(deps, chain, sender, memory)
    begun = await beginSends(deps, chain, sender, memory)
    if (chain.settings.kind === 'simulated') {
      const ended = await settleSends(deps, chain, sender, memory)
      begun = begun.filter((id) => !ended.has(id))
    }
    wakes.wake('transfers', network)
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    log.warn({ err: error, network, sender: address }, 'A pass over a sender’s queue failed; it will be retried')
    memory.forgetPush(sender)
    await postponeAll(deps, sender, error)
  }
  await endPass(store, { sender, begun })
}

interface Pass {
  sender: Sender
  /** What was signed in it and has not ended. */
  begun: readonly string[]
}

/** Ends passes that end together. What has ended within one is told by its end alone. */
export const endPass = batched(
  ({ sender }: Pass) => sender.id,
  async (tx, passes) => {
    const begun = passes.flatMap((pass) => pass.begun)
    if (begun.length > 0) await tellUntold(tx, (await findSends(tx, begun)).values())
    await giveBack(
      tx,
      passes.map(({ sender }) => sender),
    )
    return passes
  },
)

/** Postpones orders of unknown state to the next pass, unchanged. */
async function postponeAll({ store, clock, networks }: BlockchainDeps, sender: Sender, error: unknown): Promise<void> {
  const reason = messageOf(error)
  const pollMs = networks.find(sender.network)?.pollMs ?? unnamedPollMs
  await store.commit(async (tx) => {
    await senderQueue.assertHeld(tx, [sender])
    const now = clock()
    const rows = [...(await readAccepted(tx, sender, { now, limit: 500 })), ...(await readOpen(tx, sender))]
    for (const row of rows) await retryLater(tx, row, reason, { pollMs, now })
  })
}
