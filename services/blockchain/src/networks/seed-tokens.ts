import type { Store } from '@bursar/store'
import { findToken, putToken } from '../tokens/tokens'
import type { SeedToken } from './built-in-tokens'
import { tokenKey } from './comparable'
import type { NetworkSettings, Token } from './network'

/** Makes the coins of these networks known, and the tokens of the settings that are on them; what is known stays. */
export const seedTokens = (
  store: Store,
  networks: readonly NetworkSettings[],
  tokens: readonly SeedToken[],
): Promise<void> =>
  store.commit(async (tx) => {
    const now = new Date()
    for (const { name, nativeCode, nativeDecimals } of networks) {
      const coin: Token = { contractAddress: null, code: nativeCode, decimals: nativeDecimals }
      const own = tokens.filter(({ network }) => network === name)
      for (const { contractAddress, code, decimals } of [coin, ...own]) {
        if (await findToken(tx, name, tokenKey(contractAddress))) continue
        await putToken(tx, name, { contractAddress, code, decimals }, now)
      }
    }
  })
