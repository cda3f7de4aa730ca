import { ConfigError } from '@bursar/http'

/** A token that is registered at the start. */
export interface SeedToken {
  network: string
  code: string
  contractAddress: string
  decimals: number
}

/** The dollar coins that their issuers publish for the main networks (Circle's and Tether's own lists). */
const builtIn =
  'ethereum:USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48:6,' +
  'ethereum:USDT:0xdAC17F958D2ee523a2206206994597C13D831ec7:6,' +
  'polygon:USDC:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359:6,' +
  'base:USDC:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913:6,' +
  'arbitrum:USDC:0xaf88d065e77c8cC2239327C5EDb3A432268e5831:6,' +
  'solana:USDC:EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v:6'

/** Reads BLOCKCHAIN_TOKENS: `network:CODE:contractAddress:decimals`, separated by commas; the built-in ones when it is unset. */
export function readTokens(text = builtIn): SeedToken[] {
  const entries = text.split(',').flatMap((entry) => entry.trim() || [])
  return entries.map((entry) => {
    const [, network = '', code = '', contractAddress = '', decimals] =
      /^([a-z0-9-]{1,32}):([^:\s]{1,64}):([^:\s]{1,128}):(\d{1,2})$/i.exec(entry) ?? []
    if (decimals === undefined || Number(decimals) > 38) {
      throw new ConfigError(`BLOCKCHAIN_TOKENS: "${entry}" is not of the form network:CODE:contractAddress:decimals`)
    }
    return { network: network.toLowerCase(), code, contractAddress, decimals: Number(decimals) }
  })
}
