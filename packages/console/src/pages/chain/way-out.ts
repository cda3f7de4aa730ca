/** What to do about a cause of the ledger's reconciliation, by its text. */
const waysOut: readonly (readonly [cause: RegExp, wayOut: string])[] = [
  [
    /\bset aside\b/,
    'Add their asset (with the decimals of its chain) or their account: they are retried automatically. Nobody is credited until then.',
  ],
  [
    /\btaken off the chain\b/,
    'They may come back: the chain is watched. Withdrawals of these accounts wait until then, or until each is covered: “Coins are missing” above names them.',
  ],
  [
    /\bportfolios? (is|are) not booked\b/,
    'The account’s page lists each with what it waits for. They are booked automatically once that is there.',
  ],
  [
    /\bnetwork fees? (is|are) not booked\b/,
    'Add the network’s own coin as an asset, with its decimals: they are booked automatically then.',
  ],
]

/** What to do about a cause; for an unknown one, where to look. */
export const wayOutOf = (cause: string): string =>
  waysOut.find(([known]) => known.test(cause))?.[1] ?? '`bun run reconcile` says more.'
