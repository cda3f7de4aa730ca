/** An instruction with its accounts by their addresses. */
export interface Instruction {
  program: string
  accounts: readonly string[]
  data: Uint8Array
}

/** A compiled message as far as it matters what it does. */
export interface SolanaMessage {
  /** The blockhash that it names: after some 150 blocks more it can never be mined. */
  blockhash: string
  signers: readonly string[]
  instructions: readonly Instruction[]
}

/** Reads a compiled message (legacy or version 0). Null for what is none, and for one with address lookup tables. */
export async function parseSolanaMessage(bytes: Uint8Array): Promise<SolanaMessage | null> {
  const kit = await import('@solana/kit')
  try {
    const message = kit.getCompiledTransactionMessageDecoder().decode(bytes)
    if (message.version !== 'legacy' && message.version !== 0) return null
    if (Buffer.compare(bytes, Uint8Array.from(kit.getCompiledTransactionMessageEncoder().encode(message))) !== 0)
      return null
    if ('addressTableLookups' in message && (message.addressTableLookups?.length ?? 0) > 0) return null
    const { staticAccounts, header } = message
    const at = (index: number): string => {
      const account = staticAccounts[index]
      if (account === undefined) throw new RangeError(`The message has no account ${index}`)
      return account
    }
    return {
      blockhash: message.lifetimeToken,
      signers: staticAccounts.slice(0, header.numSignerAccounts),
      instructions: message.instructions.map(
        ({ programAddressIndex, accountIndices = [], data = new Uint8Array() }) => ({
          program: at(programAddressIndex),
          accounts: accountIndices.map(at),
          data: Uint8Array.from(data),
        }),
      ),
    }
  } catch {
    return null
  }
}

/** A transaction as it goes over the wire (base64): how many signatures, these, and the message that they sign. */
export const sealSolanaTransaction = (message: Uint8Array, signatures: readonly Uint8Array[]): string =>
  Buffer.concat([Buffer.of(signatures.length), ...signatures, message]).toString('base64')
