// Compares the balances of addresses with the books, per asset and per portfolio.
import { arrivalsIn, isHandmade } from './arrivals'
import { heldKey } from './chains'
import { isPaymentOf, transactionOf } from './departures'
import type { Finding } from './finding'
import { type Knowledge, ownKey, type State } from './state'

/** Held on the chain = what the books have outside of "the world", and what is the platform's own. */
export function checkCustody(state: State, knowledge: Knowledge): Finding[] {
  return state.assets.flatMap(({ id, code, network, contract }): Finding[] => {
    const held = heldBy(state, network, contract, () => true)
    const booked = -(state.balances.get(`world:${network} ${id}`) ?? 0n)
    const made = handmadeIn(state, knowledge, id)
    const [own, aside] = [toppedUp(state, network, contract), asideIn(state, id)]
    const excused = excusedIn(state, knowledge, id)
    const expected = booked - made + own + aside - excused
    if (held === expected) return []
    const what = `${held} ${code} are held; ${booked} are booked, ${made} of them on no chain, ${own} are the platform’s, ${aside} set aside`
    return [{ kind: held < expected ? 'lost' : 'made', id: code, what: `${what}: ${held - expected} too many` }]
  })
}

function heldBy(
  state: State,
  network: string,
  token: string | null,
  isMeant: (accountId: string | null) => boolean,
): bigint {
  let sum = 0n
  for (const [key, accountId] of state.own) {
    const [of = '', address = ''] = key.split(' ')
    if (of === network && isMeant(accountId)) sum += state.chains.held.get(heldKey(network, address, token)) ?? 0n
  }
  return sum
}

/** Deposits by hand that are on no chain; of one account, where one is given. */
const handmadeIn = (state: State, { byHand }: Knowledge, assetId: string, accountId?: string): bigint =>
  state.transactions
    .filter((each) => each.type === 'DEPOSIT' && each.assetId === assetId && isHandmade(state, byHand, each))
    .filter((each) => accountId === undefined || each.accountId === accountId)
    .reduce((sum, { amount }) => sum + amount, 0n)

/** What others have sent to the hot wallet. */
const toppedUp = ({ chains, own }: State, network: string, token: string | null): bigint =>
  chains.transactions
    .flatMap(({ transfers }) => transfers)
    .filter((each) => each.network === network && each.token?.toLowerCase() === token?.toLowerCase())
    .filter(({ from, to }) => own.get(ownKey(network, to)) === null && !own.has(ownKey(network, from)))
    .reduce((sum, { amount }) => sum + amount, 0n)

/** Arrived, and set aside with a reason: in no account's books. */
const asideIn = (state: State, assetId: string): bigint =>
  arrivalsIn(state)
    .filter((each) => each.assetId === assetId && state.aside.has(`${each.network} ${each.hash}`))
    .filter(
      (each) => !state.transactions.some(({ txHash, network }) => txHash === each.hash && network === each.network),
    )
    .reduce((sum, { amount }) => sum + amount, 0n)

/** Paid under an id that a restore took from the ledger, and not booked by the chain. */
const excusedIn = (state: State, { excused }: Knowledge, assetId: string): bigint => {
  const paid = new Set<string>()
  const known = new Set(state.transactions.filter(({ status }) => status === 'COMPLETED').map(({ id }) => id))
  const asset = state.assets.find(({ id }) => id === assetId)
  const left = state.chains.transactions
    .filter(({ network, hash }) => {
      const id = state.signedFor.get(`${network} ${hash}`) ?? ''
      const isMeant = excused.has(id) && !known.has(id)
      if (isMeant) paid.add(`${network} ${hash}`)
      return isMeant
    })
    .flatMap(({ transfers }) => transfers)
    .filter(({ network, from, token }) => {
      const isOfAsset = network === asset?.network && token?.toLowerCase() === asset.contract?.toLowerCase()
      return isOfAsset && state.own.has(ownKey(network, from))
    })
    .reduce((sum, { amount }) => sum + amount, 0n)
  return state.journal
    .filter((entry) => entry.assetId === assetId && isPaymentOf(entry) && paid.has(transactionOf(entry)))
    .reduce((rest, { amount }) => rest - amount, left)
}

/** A portfolio's address holds what its account has, its deposits that are not credited included. */
export function checkPortfolios(state: State, knowledge: Knowledge): Finding[] {
  const portfolios = [...state.accountTypes].filter(([, type]) => type === 'PORTFOLIO')
  const paid = state.transactions.filter(({ status }) => status === 'COMPLETED')
  const returned = new Set(paid.map(({ returns }) => returns))
  return portfolios.flatMap(([accountId]) =>
    state.assets.flatMap(({ id: assetId, code, network, contract }): Finding[] => {
      const held = heldBy(state, network, contract, (owner) => owner === accountId)
      const waiting = state.transactions
        .filter((each) => each.type === 'DEPOSIT' && each.accountId === accountId && each.assetId === assetId)
        .filter(({ id, status }) => status !== 'COMPLETED' && !returned.has(id))
        .reduce((sum, { amount }) => sum + amount, 0n)
      const kept = (part: string) => state.balances.get(`${part}:${accountId} ${assetId}`) ?? 0n
      // A node that was killed forgets what was in no block; its payment may have been recorded by hand.
      const booked = kept('available') + kept('frozen') + waiting - handmadeIn(state, knowledge, assetId, accountId)
      if (held === booked) return []
      const unbooked = unbookedAt(state, accountId, assetId)
      const what = `the portfolio’s address holds ${held} ${code}, its account ${booked}; no deposits: ${unbooked}`
      return [{ kind: held < booked ? 'made' : 'lost', id: accountId, what }]
    }),
  )
}

/** Where to look: what came to the address and is no deposit. It may be an execution. */
const unbookedAt = (state: State, accountId: string, assetId: string): string => {
  const deposits = new Set(state.transactions.filter(({ type }) => type === 'DEPOSIT').map(({ txHash }) => txHash))
  const arrived = arrivalsIn(state).filter((each) => each.accountId === accountId && each.assetId === assetId)
  return (
    arrived.flatMap(({ hash, amount }) => (deposits.has(hash) ? [] : [`${amount} by ${hash}`])).join(', ') || 'none'
  )
}
