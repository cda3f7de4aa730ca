import { Network } from '@bursar/contracts/blockchain'
import { about, nullable, oneOf, type Static, t, timestamp } from '@bursar/contracts/schema'

/** The newest block of a network, and the progress of reading it. */
export const NetworkStatus = t.Object(
  {
    network: about('Its name', t.String()),
    kind: about('simulated: a local chain, without an RPC URL', oneOf(['evm', 'solana', 'simulated'])),
    chainId: about('Its EIP-155 number; null for none', Network.properties.chainId),
    nativeCode: about('The code of its own coin', t.String()),
    nativeDecimals: about('The decimals of its own coin', t.Integer()),
    confirmations: about('The number of blocks, including its own, after which a transaction is final', t.Integer()),
    head: about('Its newest block; null if it has no blocks, or is unreachable', nullable(t.Integer())),
    headAt: about('When that block was made', nullable(timestamp())),
    scannedTo: about(
      'The last block that was read; null before the first, and on networks read by accounts',
      nullable(t.Integer()),
    ),
    lagBlocks: about('The number of unread blocks', nullable(t.Integer())),
    lagSeconds: about('The age difference between the newest and the last read block', nullable(t.Number())),
    watchedAddresses: about('The number of watched addresses', t.Integer()),
    lastScanAt: about('When it was last read successfully, since the start of the service', nullable(timestamp())),
    lastError: about(
      'The last failure of reading it; null for none',
      nullable(
        t.Object(
          {
            at: about('The time of the failure', timestamp()),
            message: about('The error, in a sentence', t.String()),
          },
          { title: 'NetworkError' },
        ),
      ),
    ),
  },
  { title: 'NetworkStatus' },
)
export type NetworkStatus = Static<typeof NetworkStatus>
