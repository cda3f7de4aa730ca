import { comparableAddress } from '@bursar/contracts/address'

/** A token's contract as tables compare it; '' for the native coin. */
export const tokenKey = (contractAddress: string | null): string =>
  contractAddress === null ? '' : comparableAddress(contractAddress)
