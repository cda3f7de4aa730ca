import type { Outbound } from '@bursar/http/outbound'
import { screeningKey } from '../addresses/screening-key'
import type { Config } from '../config'
import { askOutside, type Source, unavailable } from './source'

const provider = 'chainalysis-oracle'
/** The first four bytes of Keccak-256 of `isSanctioned(address)`. */
const selector = '0xdf592f7d'
const evmAddress = /^0x([0-9a-f]{40})$/
/** A `bool` as the EVM encodes it. */
const bool = /^0x0{63}([01])$/

/** Chainalysis' oracle on an EVM chain: `isSanctioned(address) view returns (bool)`. It knows EVM addresses only. */
export const chainalysisOracle = (
  outbound: Outbound,
  { rpcUrl, address: contract }: NonNullable<Config['oracle']>,
  timeoutMs: number,
): Source => ({
  provider,
  isHere: false,
  covers: (address) => evmAddress.test(screeningKey(address)),
  async ask(address) {
    const [, hex = ''] = evmAddress.exec(screeningKey(address)) ?? []
    const call = { to: contract, data: `${selector}${hex.padStart(64, '0')}` }
    const answer = await askOutside(outbound, provider, rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] }),
      timeoutMs,
    })
    const { id, result } = (answer ?? {}) as { id?: unknown; result?: unknown }
    const [, bit] = (id === 1 && typeof result === 'string' && bool.exec(result)) || []
    // The result is empty when there is no contract at the address, for example on another chain.
    if (bit === undefined) throw unavailable(provider, 'its answer is not a verdict')
    return { match: bit === '1', details: { contract, method: 'isSanctioned(address)' } }
  },
})
