import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import { reverseMovements } from '../movements/movements'
import { keepUntold, tellFees } from '../movements/untold-fees'
import type { BlockSource, Chain, ChainTransfer, ScannedBlock } from '../networks/network'
import { ownOrders } from '../sends/own-orders'
import { advance, type Cursor, findCursor, findRemembered, readRemembered, rewind } from '../watching/cursors'
import { areSomeEarlier, putRightWatched } from '../watching/watched'
import { isPublishedAbove } from './published-above'
import { confirmDeposits, hasPending, recordTransfers, rollBack } from './transfers'

/**
 * Reads the blocks after the cursor, records movements at the watched addresses, and publishes the
 * final deposits. First goes back to a reorganisation of the chain. Returns true when more blocks are available.
 */
export async function scanBlocks(deps: BlockchainDeps, chain: Chain, source: BlockSource): Promise<boolean> {
  const { store, config, clock } = deps
  const { name: network, confirmations } = chain.settings
  // Read before the addresses: an address watched later has received nothing in blocks up to here.
  const head = await source.head()
  const cursor = await cursorOf(deps, chain, source, head)
  if (!cursor) return false
  const to = Math.min(head, cursor.block + source.most)
  const watched = await deps.watched(network)
  const { blocks, transfers } =
    to > cursor.block ? fitting(await source.read(cursor.block + 1, to, new Set(watched.keys()))) : nothing
  // Reorganised between two requests: the blocks are of two chains.
  if (!isChain(cursor, blocks)) return true
  const last = blocks.at(-1)?.number ?? cursor.block
  await tellFees(deps, chain, last - confirmations + 1)
  if (blocks.length === 0 && !(await hasPending(store.read, network))) return false
  if (source.isAgreed) await assertAgreed(deps, source.isAgreed, { network, blocks, final: last - confirmations + 1 })
  const own = await ownOrders(deps, network, transfers, watched)
  const newest = areSomeEarlier(watched, transfers)
    ? await requireTimes(source, network, { cursor, last, transfers })
    : null
  await store.commit(async (tx) => {
    // Another process may have advanced it.
    const current = await findCursor(tx, network)
    if (current?.hash !== cursor.hash) return
    if (newest) await putRightWatched(tx, watched, transfers, newest.at)
    await recordTransfers(tx, network, transfers, { dust: config.dust, own })
    await keepUntold(tx, network, transfers, own)
    await advance(tx, network, blocks)
    await confirmDeposits(tx, network, last - confirmations + 1, clock())
  })
  return last < head
}

type Read = Awaited<ReturnType<BlockSource['read']>>
const nothing: Read = { blocks: [], transfers: [] }

/** Recorded by one commit, unless one block has more: others wait for it. */
const mostTransfers = 1000

/**
 * As many of the blocks that were read as one commit should record; the others are read again. Anybody can fill blocks with
 * transfers of worthless tokens.
 */
function fitting({ blocks, transfers }: Read): Read {
  const ofBlock = Map.groupBy(transfers, ({ block }) => block)
  let sum = 0
  const tooMany = blocks.findIndex(({ number }) => {
    sum += ofBlock.get(number)?.length ?? 0
    return sum > mostTransfers
  })
  if (tooMany < 0) return { blocks, transfers }
  const first = blocks.slice(0, Math.max(1, tooMany))
  const numbers = new Set(first.map(({ number }) => number))
  return { blocks: first, transfers: transfers.filter(({ block }) => numbers.has(block)) }
}

/**
 * The newest of the blocks that were read. Fails when what moved in them is older than the block before: by a wrong time alone
 * it came before its address was watched, and would never be published.
 */
async function requireTimes(
  source: BlockSource,
  network: string,
  { cursor, last, transfers }: { cursor: Cursor; last: number; transfers: readonly ChainTransfer[] },
) {
  const [before, newest] = await Promise.all([source.blockAt(cursor.block), source.blockAt(last)])
  if (!before || transfers.every(({ at }) => at >= before.at)) return newest
  throw fail('UPSTREAM_ERROR', {
    message: `A node of ${network} gave blocks with an older time than block ${cursor.block}`,
  })
}

/**
 * Fails when answering nodes disagree on the block that makes deposits final: nothing is published until they agree.
 */
async function assertAgreed(
  { store }: BlockchainDeps,
  isAgreed: NonNullable<BlockSource['isAgreed']>,
  { network, blocks, final }: { network: string; blocks: readonly ScannedBlock[]; final: number },
): Promise<void> {
  const known = blocks.find(({ number }) => number === final) ?? (await findRemembered(store.read, network, final))
  if (!known || (await isAgreed(final, known.hash))) return
  throw fail('UPSTREAM_ERROR', { message: `The nodes of ${network} do not agree on block ${final}` })
}

/**
 * The position to continue from: the cursor, moved back to the last block still in the chain. Null when there is none for now,
 * and nothing was read.
 */
async function cursorOf(deps: BlockchainDeps, chain: Chain, source: BlockSource, head: number): Promise<Cursor | null> {
  const { store } = deps
  const { name: network } = chain.settings
  const cursor = await findCursor(store.read, network)
  if (!cursor) return await beginCursor(deps, chain, source, head)
  const hashAt = hashesUpTo(network, source, head)
  if (cursor.block === 0 || (await hashAt(cursor.block)) === cursor.hash) return cursor
  // A lagging node knows fewer blocks, but the same ones.
  if (head < cursor.block && !(await hasForked(deps, network, hashAt, head))) return null
  return await goBack(deps, chain, { source, hashAt, cursor })
}

/** The clocks of networks and ours differ. */
const clockToleranceMs = 60_000

/** Begins before the first address was watched, however long no node was reachable since. */
async function beginCursor(
  deps: BlockchainDeps,
  chain: Chain,
  source: BlockSource,
  head: number,
): Promise<Cursor | null> {
  const { store } = deps
  const { name: network, confirmations } = chain.settings
  const watched = [...(await deps.watched(network)).values()]
  const since = Math.min(...watched.map(({ watchedAt }) => watchedAt.getTime())) - clockToleranceMs
  let back = confirmations
  let begun: Cursor | null = null
  while (!begun) {
    const number = Math.max(0, head - back)
    const block = await source.blockAt(number)
    if (number === 0 || (block && block.at.getTime() < since)) begun = { block: number, hash: block?.hash ?? '' }
    else if (!block) return null
    back *= 2
  }
  const first = begun
  await store.commit((tx) => rewind(tx, network, first))
  return first
}

/** The hash of a block of the chain; null above its head. */
type HashAt = (number: number) => Promise<string | null>

/**
 * Fails when a block up to the head is not shown: a node that is behind has answered in the place of the one that gave
 * the head. Taken for a fork, that would reverse published deposits.
 */
const hashesUpTo =
  (network: string, source: BlockSource, head: number): HashAt =>
  async (number) => {
    if (number > head) return null
    const block = await source.blockAt(number)
    if (block) return block.hash
    throw fail('UPSTREAM_ERROR', {
      message: `A node of ${network} does not show block ${number}, below its head ${head}`,
    })
  }

async function hasForked({ store }: BlockchainDeps, network: string, hashAt: HashAt, head: number): Promise<boolean> {
  const known = (await readRemembered(store.read, network)).find(({ number }) => number === head)
  return known !== undefined && (await hashAt(head)) !== known.hash
}

async function goBack(
  { store, log, clock }: BlockchainDeps,
  { settings: { name: network, confirmations } }: Chain,
  { source, hashAt, cursor }: { source: BlockSource; hashAt: HashAt; cursor: Cursor },
): Promise<Cursor | null> {
  const remembered = await readRemembered(store.read, network)
  let fork: Cursor | null = null
  for (const { number, hash } of remembered) {
    if ((await hashAt(number)) !== hash) continue
    fork = { block: number, hash }
    break
  }
  // None is remembered right after the first look, and after a restore.
  const oldest = remembered.at(-1)?.number ?? Math.max(1, cursor.block - confirmations + 1)
  // Deeper than the remembered blocks: read everything again from there.
  const at = fork ?? { block: oldest - 1, hash: (await hashAt(oldest - 1)) ?? '' }
  // It may have been published with fewer confirmations than are asked for now.
  const isDeep = cursor.block - at.block >= confirmations || (await isPublishedAbove(store.read, network, at.block))
  const changed = remembered.find(({ number }) => number === at.block + 1) ?? {
    number: cursor.block,
    hash: cursor.hash,
  }
  if (isDeep && source.isAgreed) await assertForked(source.isAgreed, network, { ...changed, hashAt })
  const now = clock()
  const back = await store.commit(async (tx) => {
    // It was set back further: for an address that is watched again after a restore, or by another process.
    if ((await findCursor(tx, network))?.hash !== cursor.hash) return null
    await rewind(tx, network, at)
    return {
      gone: await rollBack(tx, network, at.block, now),
      told: isDeep ? await reverseMovements(tx, network, at.block, now) : [],
    }
  })
  if (!back) return null
  log.warn({ network, block: at.block }, 'The chain was reorganised; reading again from here')
  for (const { id, txHash, block } of back.gone) {
    log.error({ network, deposit: id, txHash, block }, 'A deposit was reorganised after it was published')
  }
  for (const { id, txHash, place, block } of back.told) {
    log.error({ network, movement: id, txHash, place, block }, 'A movement was reorganised after it was published')
  }
  return at
}

/**
 * Fails unless every node, reached or not, shows the first block of a fork that takes back what was published: the one
 * that answers may be on a fork of its own, and the others be away.
 */
async function assertForked(
  isAgreed: NonNullable<BlockSource['isAgreed']>,
  network: string,
  { number, hash: before, hashAt }: { number: number; hash: string; hashAt: HashAt },
): Promise<void> {
  const hash = await hashAt(number)
  // Another node may answer now, with the block that was read before.
  if (hash !== null && hash !== before && (await isAgreed(number, hash, true))) return
  throw fail('UPSTREAM_ERROR', {
    message: `The nodes of ${network} do not all show another block ${number} than before`,
  })
}

function isChain(cursor: Cursor, blocks: readonly ScannedBlock[]): boolean {
  let parent = cursor.hash
  for (const block of blocks) {
    if (parent !== '' && block.parentHash !== parent) return false
    parent = block.hash
  }
  return true
}
