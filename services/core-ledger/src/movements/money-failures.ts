/** Why nothing moves while the books are closed. */
export const closed = 'No money moves: the ledger’s file is not the one that was sealed last'

/** The documented failures of a route that moves money: its own, and 503 while the books are closed (`requireOpen`). */
export const moneyFailures = (own: Readonly<Record<number, string>> = {}): Record<number, string> => ({
  ...own,
  503: own[503] ? `${own[503]}; or: ${closed}` : closed,
})
