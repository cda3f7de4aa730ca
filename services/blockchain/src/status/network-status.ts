import type { BlockchainDeps } from '../deps'
import { fail } from '../errors'
import type { BlockSource } from '../networks/network'
import { wordsOf } from '../networks/scan-report'
import { findCursor } from '../watching/cursors'
import { watchedList } from '../watching/watched'
import { listNetworks } from './internal-networks'
import type { NetworkStatus } from './network-status.model'

type StatusDeps = Pick<BlockchainDeps, 'store' | 'networks' | 'scans' | 'clock'>
type Progress = Pick<NetworkStatus, 'head' | 'headAt' | 'scannedTo' | 'lagBlocks' | 'lagSeconds'>

/** Longer than a page waits, shorter than a node may take. */
const waitMs = 3000

/** The networks that can be used, with their progress; an unreachable one does not delay the others. */
export async function networkStatuses(deps: StatusDeps): Promise<NetworkStatus[]> {
  const { store, networks } = deps
  const usable = await listNetworks(store.read, networks)
  return await Promise.all(usable.map(({ name }) => statusOf(deps, name)))
}

async function statusOf({ store, networks, scans, clock }: StatusDeps, network: string): Promise<NetworkStatus> {
  const chain = await networks.open(network)
  const { kind, chainId, nativeCode, nativeDecimals, confirmations } = chain.settings
  const { lastScanAt, lastError } = scans.of(network)
  const common = { network, kind, chainId, nativeCode, nativeDecimals, confirmations, lastScanAt }
  const watched = await watchedList.count(store.read, network)
  const scannedTo = (await findCursor(store.read, network))?.block ?? null
  const unknown: Progress = { head: null, headAt: null, scannedTo, lagBlocks: null, lagSeconds: null }
  const rest = { ...common, watchedAddresses: watched }
  if (chain.source.kind === 'accounts') return { ...rest, ...unknown, lastError }
  try {
    return { ...rest, ...(await inTime(progressOf(chain.source, scannedTo), network)), lastError }
  } catch (error) {
    return { ...rest, ...unknown, lastError: { at: clock().toISOString(), message: wordsOf(error) } }
  }
}

async function progressOf(source: BlockSource, scannedTo: number | null): Promise<Progress> {
  const head = await source.head()
  const newest = await source.blockAt(head)
  const isBehind = scannedTo !== null && scannedTo < head
  const read = isBehind ? await source.blockAt(scannedTo) : newest
  const lag = newest && read ? (newest.at.getTime() - read.at.getTime()) / 1000 : null
  return {
    head,
    headAt: newest?.at.toISOString() ?? null,
    scannedTo,
    lagBlocks: scannedTo === null ? null : Math.max(0, head - scannedTo),
    lagSeconds: scannedTo === null ? null : lag,
  }
}

async function inTime<T>(asked: Promise<T>, network: string): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(fail('UPSTREAM_TIMEOUT', { message: `No node of ${network} answered within ${waitMs / 1000} seconds` }))
    }, waitMs)
  })
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
    asked.catch(() => {})
  }
}
