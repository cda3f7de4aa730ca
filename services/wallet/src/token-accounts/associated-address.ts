const associatedTokenProgram = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'
export const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** The associated token account of an owner for a mint (SPL Associated Token Account): all wallets send there. */
export async function associatedAddress(owner: string, mint: string, program = tokenProgram): Promise<string> {
  const { address, getAddressEncoder, getProgramDerivedAddress } = await import('@solana/kit')
  const bytesOf = getAddressEncoder()
  const [derived] = await getProgramDerivedAddress({
    programAddress: address(associatedTokenProgram),
    seeds: [owner, program, mint].map((each) => bytesOf.encode(address(each))),
  })
  return derived
}
