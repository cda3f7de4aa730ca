/** An instruction with the addresses of its accounts. */
export interface Instruction {
  program: string
  accounts: readonly string[]
  data: Uint8Array
}

/** The parts of a compiled message that determine its effect. */
interface SolanaMessage {
  /** Its blockhash: after about 150 more blocks the message can never be mined. */
  blockhash: string
  signers: readonly string[]
  instructions: readonly Instruction[]
}

/** Parses a compiled message (legacy or version 0). Null for an invalid one, and for one with address lookup tables. */
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

/** A serialized transaction (base64): the number of signatures, the signatures, and the signed message. */
export const sealSolanaTransaction = (message: Uint8Array, signatures: readonly Uint8Array[]): string =>
  Buffer.concat([Buffer.of(signatures.length), ...signatures, message]).toString('base64')
