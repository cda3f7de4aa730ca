import { type Hex, hexToBytes, keccak256 } from 'viem'
import { WrongNodeError } from '../node-failure'

/** The bloom filter of a block or receipt; fails when the node gave none. An empty one would be explained by no log. */
export function bloomOf({ logsBloom }: { logsBloom: unknown }): Uint8Array {
  if (typeof logsBloom === 'string' && /^0x[\da-f]{512}$/i.test(logsBloom)) return hexToBytes(logsBloom as Hex)
  throw new WrongNodeError('gave a logsBloom that has not 256 bytes')
}

/** The bits of a block's bloom filter that an address or topic of a log sets (Yellow Paper, 4.3.1). */
export function bloomBits(item: Hex): number[] {
  const hash = hexToBytes(keccak256(item))
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047)
}

/** False: no log of the block sets these bits. True: one may. */
export function bloomHas(bloom: Uint8Array, bits: readonly number[]): boolean {
  return bits.every((bit) => ((bloom[bloom.length - 1 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
}

/** Whether these logs set every bit of the bloom filter: then, as far as it tells, no log of the block is missing. */
export function explainsBloom(bloom: Uint8Array, logs: readonly { address: string; topics: readonly string[] }[]) {
  const made = new Uint8Array(bloom.length)
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) {
      for (const bit of bloomBits(item as Hex)) {
        const at = made.length - 1 - (bit >> 3)
        made[at] = (made[at] ?? 0) | (1 << (bit & 7))
      }
    }
  }
  return bloom.every((byte, i) => (byte & ~(made[i] ?? 0)) === 0)
}
