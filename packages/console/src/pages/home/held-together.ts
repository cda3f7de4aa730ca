interface History {
  unpriced: readonly string[]
  series: readonly { date: string; usdValue: number }[]
}

/** The values of several groups of accounts, day by day, and what none of them counts. */
export function heldTogether(parts: readonly History[]): {
  unpriced: string[]
  series: { date: string; usd: number }[]
} {
  const sums = new Map<string, number>()
  for (const { date, usdValue } of parts.flatMap(({ series }) => series)) {
    sums.set(date, (sums.get(date) ?? 0) + usdValue)
  }
  return {
    unpriced: [...new Set(parts.flatMap(({ unpriced }) => unpriced))].sort(),
    series: [...sums].map(([date, usd]) => ({ date, usd })).sort((one, other) => (one.date < other.date ? -1 : 1)),
  }
}
