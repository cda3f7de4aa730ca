import type { BlockSource, Chain, ChainTransfer, ScannedBlock } from '../src/networks/network'
import { scanBlocks } from '../src/transfers/scan-blocks'
import { findCursor } from '../src/watching/cursors'
import { alice, bob, type TestBlockchain, testBlockchain } from './harness'

export const block = (number: number, hash = `0x${number}`, parentHash = `0x${number - 1}`): ScannedBlock => ({
  number,
  hash,
  parentHash,
})
export const paid = (number: number, fields: Partial<ChainTransfer> = {}): ChainTransfer => ({
  txHash: `0xpaid${number}`,
  logIndex: 0,
  from: bob,
  to: alice,
  contractAddress: null,
  amount: 5n,
  decimals: null,
  block: number,
  blockHash: `0x${number}`,
  at: new Date(),
  ...fields,
})

/** A network with these blocks, one of which is read at a time. */
export async function madeUpBlocks(
  ends: (() => Promise<unknown>)[],
  { head, read, most }: { head: number; read: BlockSource['read']; most: number },
) {
  const own = await testBlockchain({ workers: false })
  ends.push(() => own.stop())
  await own.watch(alice)
  const chain = await own.deps.networks.open('ethereum')
  const source: BlockSource = {
    kind: 'blocks',
    most,
    head: async () => head,
    blockAt: async (number) => ({ hash: `0x${number}`, at: new Date(number === 0 ? 0 : Date.now()) }),
    isAgreed: async () => true,
    read,
  }
  const scan = (by: BlockSource = source) => scanBlocks(own.deps, { ...chain, source: by } as Chain, by)
  const cursor = async () => (await findCursor(own.deps.store.read, 'ethereum'))?.block
  const statuses = async (of: TestBlockchain = own) =>
    (await of.get(`/addresses/${alice}/transactions`)).body.data.map(
      ({ transactionHash, status }: Record<string, string>) => [transactionHash, status],
    )
  return { own, source, scan, cursor, statuses }
}
