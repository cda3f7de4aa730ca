/** Why nothing moves while the books are closed. */
export const closed = 'No money moves: the ledger’s file is not the one that was sealed last'

/** The OpenAPI failures of a route with `requireOpen`: its own, and 503 while no money may move. */
export const moneyFailures = (own: Readonly<Record<number, string>> = {}): Record<number, string> => ({
  ...own,
  503: own[503] ? `${own[503]}; or: ${closed}` : closed,
})
