import { withoutIds } from '../../format/words'

/** Why approved transactions wait, and what a person can do about it. */
export interface StuckCause {
  key: string
  title: string
  advice: string
}

const causes: readonly (StuckCause & { fits: RegExp })[] = [
  {
    key: 'not active',
    fits: /only (active )?accounts of active|only active accounts|is (suspended|inactive|deleted)/i,
    title: 'The account or its institution is not active',
    advice: 'Activate it, and they go on by themselves; or fail them, and what is held is available again.',
  },
  {
    key: 'network unknown',
    fits: /not configured|no such network|unknown network|network .*(is )?unknown/i,
    title: 'The network is not configured',
    advice: 'Set up the network’s node for the blockchain service (NETWORKS), then try them again.',
  },
  {
    key: 'no coins',
    fits: /insufficient|not enough|too little|shortfall|top up|exceeds/i,
    title: 'Not enough coins to pay them',
    advice: 'Top up the paying address: Wallets and chains says how much. Then try them again.',
  },
  {
    key: 'silent',
    fits: /cannot be reached|unreachable|did not answer|timed? ?out|late|no answer|failed or cannot/i,
    title: 'A service or a node is silent',
    advice: 'Health names the service, Wallets and chains the network. They are tried again by themselves.',
  },
]

/** The words for a reason; those that fit none stand by their own reason. */
export function causeOf(reason: string | null, status: 'APPROVED' | 'FAILED'): StuckCause {
  if (status === 'FAILED') {
    return {
      key: 'paid after all',
      title: 'Failed here, and paid by the wallet',
      advice: 'Compare both with the chain, and settle each on its page.',
    }
  }
  if (reason === null) {
    return {
      key: 'unconfirmed',
      title: 'Their network has not confirmed them',
      advice: 'Wallets and chains shows whether the network goes on, and what it waits for.',
    }
  }
  const known = causes.find(({ fits }) => fits.test(reason))
  if (known) return { key: known.key, title: known.title, advice: known.advice }
  return { key: withoutIds(reason), title: reason, advice: 'Open one of them for its attempts, then try them again.' }
}

interface Row {
  reason: string | null
  status: 'APPROVED' | 'FAILED'
}

/** Those of one cause stand together; causes and rows keep the order of age. */
export const byCause = <R extends Row>(rows: readonly R[]): R[] =>
  [...Map.groupBy(rows, ({ reason, status }) => causeOf(reason, status).key).values()].flat()
