import { Network } from '@bursar/contracts/blockchain'
import { about, nullable, oneOf, type Static, t, timestamp } from '@bursar/contracts/schema'

/** How far a network has come, and how far it has been read. */
export const NetworkStatus = t.Object(
  {
    network: about('Its name', t.String()),
    kind: about(
      'simulated: a chain of this deployment’s own, for want of an RPC URL',
      oneOf(['evm', 'solana', 'simulated']),
    ),
    chainId: about('Its EIP-155 number; null for what has none', Network.properties.chainId),
    nativeCode: about('The code of its own coin', t.String()),
    nativeDecimals: about('How many decimals its own coin has', t.Integer()),
    confirmations: about('How many blocks must hold a transaction until it is final, its own included', t.Integer()),
    head: about(
      'Its newest block; null where it has no blocks to ask for, or could not be asked',
      nullable(t.Integer()),
    ),
    headAt: about('When that block was made', nullable(timestamp())),
    scannedTo: about(
      'The last block that was read; null before the first, and where accounts are read',
      nullable(t.Integer()),
    ),
    lagBlocks: about('How many blocks are still to be read', nullable(t.Integer())),
    lagSeconds: about('How much older the last block that was read is than the newest one', nullable(t.Number())),
    watchedAddresses: about('How many addresses are watched on it', t.Integer()),
    lastScanAt: about('When it was last read without a failure, since the start of the service', nullable(timestamp())),
    lastError: about(
      'What went wrong when it was last asked or read; null when nothing did',
      nullable(
        t.Object(
          {
            at: about('When it went wrong', timestamp()),
            message: about('What went wrong, in a sentence', t.String()),
          },
          { title: 'NetworkError' },
        ),
      ),
    ),
  },
  { title: 'NetworkStatus' },
)
export type NetworkStatus = Static<typeof NetworkStatus>
