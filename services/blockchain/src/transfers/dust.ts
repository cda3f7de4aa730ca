import type { Token } from '../networks/network'

/** By a token's code in upper case: deposits below this amount, in the token's own unit, are not published (DEPOSIT_DUST). */
export type Dust = ReadonlyMap<string, string>

/** The least deposit of a token that is published, in its smallest unit: what the setting says, rounded up, or 1. */
export function leastDeposit(dust: Dust, { code, decimals }: Pick<Token, 'code' | 'decimals'>): bigint {
  const [whole = '', fraction = ''] = (dust.get(code.toUpperCase()) ?? '0').split('.')
  const units = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
  const least = /[1-9]/.test(fraction.slice(decimals)) ? units + 1n : units
  return least > 1n ? least : 1n
}
