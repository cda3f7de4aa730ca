/** The estimated value of what has a rate; null if nothing has. */
export function worthOf(balances: readonly { usdValue: number | null }[]): number | null {
  const priced = balances.flatMap(({ usdValue }) => usdValue ?? [])
  return priced.length === 0 ? null : priced.reduce((sum, value) => sum + value, 0)
}
