import { fail } from '../errors'
import { solanaProblem, tronProblem } from './base58'
import { bitcoinProblem } from './bitcoin'
import { evmProblem } from './evm'
import { familyOf, type NetworkFamily } from './networks'

/** What is wrong with an address, as a phrase that follows the field's name; null if nothing is. */
export type AddressProblem = (address: string) => string | null

const visible = /^[\x21-\x7e]{1,128}$/

const problems: Record<NetworkFamily, AddressProblem> = {
  evm: evmProblem,
  solana: solanaProblem,
  bitcoin: bitcoinProblem,
  tron: tronProblem,
  other: (address) => (visible.test(address) ? null : 'must be 1 to 128 visible characters without spaces'),
}

/**
 * Fails with 400 if the text is not an address of the network (decisions, Destination address). For unknown networks,
 * any visible text is accepted.
 */
export function checkAddress(network: string, address: string, field: string): void {
  const problem = problems[familyOf(network)](address)
  if (problem !== null) throw fail('ADDRESS_INVALID', { message: `${field} ${problem}` })
}
