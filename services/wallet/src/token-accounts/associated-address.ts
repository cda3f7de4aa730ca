import { comparableAddress } from '@bursar/contracts/address'
import { solanaProblem } from '../keys/addresses'
import { familyOf } from '../networks/families'

export const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const token2022Program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** The associated token account of an owner for a mint (SPL Associated Token Account), to which all wallets send. */
export async function associatedAddress(owner: string, mint: string, program = tokenProgram): Promise<string> {
  const { address, getAddressEncoder, getProgramDerivedAddress } = await import('@solana/kit')
  const bytesOf = getAddressEncoder()
  const [derived] = await getProgramDerivedAddress({
    programAddress: address(associatedTokenProgram),
    seeds: [owner, program, mint].map((each) => bytesOf.encode(address(each))),
  })
  return derived
}

const wrappedSol = 'So11111111111111111111111111111111111111112'

/** Whether payments to this address reach the owner: it is the owner's address, or its account of that token. */
export async function arrivesAt(
  network: string,
  owner: string,
  { destination, contractAddress }: { destination: string; contractAddress: string | null },
): Promise<boolean> {
  if (comparableAddress(owner) === comparableAddress(destination)) return true
  const mint = contractAddress ?? wrappedSol
  if (familyOf(network) !== 'solana' || [owner, destination, mint].some((each) => solanaProblem(each))) return false
  const { address, isOffCurveAddress } = await import('@solana/kit')
  // Token accounts have no key: an address with a key is not one.
  if (!isOffCurveAddress(address(destination))) return false
  const accounts = [tokenProgram, token2022Program].map((program) => associatedAddress(owner, mint, program))
  return (await Promise.all(accounts)).includes(destination)
}
