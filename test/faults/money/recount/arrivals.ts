// Compares incoming transfers on the chains with the deposits of the ledger: each once, and no others.
import { comparable, type Transfer } from './chains'
import type { Finding } from './finding'
import { type Knowledge, type LedgerTransaction, ownKey, type State } from './state'

/** Transfers to addresses of accounts here, of assets that the ledger knows. */
export function arrivalsIn(state: State): (Transfer & { accountId: string; assetId: string })[] {
  const assets = new Map(state.assets.map(({ id, network, contract }) => [assetKey(network, contract), id]))
  return state.chains.transactions
    .flatMap(({ transfers }) => transfers)
    .flatMap((transfer) => {
      const accountId = state.own.get(ownKey(transfer.network, transfer.to))
      const assetId = assets.get(assetKey(transfer.network, transfer.token))
      return accountId && assetId ? [{ ...transfer, accountId, assetId }] : []
    })
}

export const assetKey = (network: string, token: string | null): string =>
  `${network} ${token === null ? '' : comparable(network, token)}`

export function checkArrivals(state: State, { byHand }: Knowledge): Finding[] {
  const place = (network: string, hash: string | null, accountId: string, assetId: string) =>
    `${network} ${hash} ${accountId} ${assetId}`
  const arrived = Map.groupBy(arrivalsIn(state), (each) => place(each.network, each.hash, each.accountId, each.assetId))
  const deposits = state.transactions.filter(({ type }) => type === 'DEPOSIT')
  const booked = Map.groupBy(deposits, (each) => place(each.network, each.txHash, each.accountId, each.assetId))
  return [...new Set([...arrived.keys(), ...booked.keys()])].flatMap((key): Finding[] => {
    const [transfers, found] = [arrived.get(key) ?? [], booked.get(key) ?? []]
    return compare(state, transfers, found, byHand)
  })
}

function compare(
  state: State,
  transfers: ReturnType<typeof arrivalsIn>,
  found: LedgerTransaction[],
  byHand: Knowledge['byHand'],
): Finding[] {
  const [deposit] = found
  const [transfer] = transfers
  if (!transfer) {
    if (deposit && found.length === 1 && isHandmade(state, byHand, deposit)) return []
    return found.map(({ id, txHash }) => ({
      kind: 'made',
      id,
      what: `a deposit of ${txHash}, which is no transfer to it`,
    }))
  }
  const { network, hash, accountId } = transfer
  // What comes to a portfolio is booked as a deposit or as an execution: its address says whether it was (portfolios.ts).
  const isOpen = state.aside.has(`${network} ${hash}`) || state.accountTypes.get(accountId) === 'PORTFOLIO'
  if (found.length < transfers.length && !isOpen)
    return [
      {
        kind: 'lost',
        id: hash,
        what: `${transfers.length} transfers to account ${accountId}, ${found.length} deposits`,
      },
    ]
  if (found.length > transfers.length)
    return [
      {
        kind: 'doubled',
        id: hash,
        what: `${transfers.length} transfers to account ${accountId}, ${found.length} deposits`,
      },
    ]
  const left = transfers.map(({ amount }) => amount)
  return found.flatMap(({ id, amount }): Finding[] => {
    const at = left.indexOf(amount)
    if (at >= 0) {
      left.splice(at, 1)
      return []
    }
    return [
      { kind: 'wrong', id, what: `a deposit of ${amount}; ${hash} moved ${transfers.map((each) => each.amount)}` },
    ]
  })
}

/** Recorded by hand, of a transaction that is on no chain: the sandbox takes it. */
export const isHandmade = (
  { chains }: State,
  byHand: Knowledge['byHand'],
  { network, txHash }: LedgerTransaction,
): boolean => byHand.has(`${network} ${txHash}`) && !hashesOf(chains).has(`${network} ${txHash}`)

/** By the chains: a State is never changed. */
const hashes = new WeakMap<State['chains'], Set<string>>()
function hashesOf(chains: State['chains']): Set<string> {
  const known = hashes.get(chains)
  if (known) return known
  const all = new Set(chains.transactions.map(({ network, hash }) => `${network} ${hash}`))
  hashes.set(chains, all)
  return all
}
