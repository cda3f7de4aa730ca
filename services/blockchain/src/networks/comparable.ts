import { comparableAddress } from '@bursar/contracts/address'
import { fail } from '../errors'
import type { Chain } from './network'

/** A token's contract as tables compare it; '' for the native coin. */
export const tokenKey = (contractAddress: string | null): string =>
  contractAddress === null ? '' : comparableAddress(contractAddress)

/** A caller's address in its canonical form. 400 for one that is not of the network. */
export function requireAddress({ settings, address }: Chain, field: string, text: string): string {
  const canonical = address(text)
  if (canonical !== null) return canonical
  throw fail('INVALID_REQUEST', { message: `${field} is not an address of ${settings.name}` })
}
