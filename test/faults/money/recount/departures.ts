// Compares outgoing transfers with the withdrawals of the ledger and the executions of portfolios.
import { type ChainTransaction, comparable, type Transfer } from './chains'
import type { Finding } from './finding'
import { type Entry, type Knowledge, type LedgerTransaction, ownKey, type State } from './state'

export function checkDepartures(state: State, knowledge: Knowledge): Finding[] {
  const paid = state.transactions.filter(({ type, status }) => type === 'WITHDRAWAL' && status === 'COMPLETED')
  const byHash = Map.groupBy(paid, ({ network, txHash }) => `${network} ${txHash}`)
  const onChain = new Map(state.chains.transactions.map((each) => [`${each.network} ${each.hash}`, each]))
  return [
    ...paid.flatMap((each) => checkPaid(state, each, onChain.get(`${each.network} ${each.txHash}`))),
    ...[...byHash.values()].filter((all) => all.length > 1).flatMap(sharedHash),
    ...[...onChain].flatMap(([key, each]) => checkSent(state, knowledge, each, byHash.get(key) ?? [])),
  ]
}

/** A completed withdrawal: its transaction is on the chain, from here, with its amount, to its destination. */
function checkPaid(state: State, withdrawal: LedgerTransaction, transaction: ChainTransaction | undefined): Finding[] {
  const { id, txHash, amount, destinationAddress } = withdrawal
  if (!transaction?.isGood)
    return [{ kind: 'made', id, what: `COMPLETED by ${txHash}, which paid nothing on the chain` }]
  const isPaid = transaction.transfers.some((each) => pays(each, withdrawal) && isOurs(state, each))
  const moved = transaction.transfers.map((each) => `${each.amount} to ${each.to}`)
  return isPaid ? [] : [{ kind: 'wrong', id, what: `${amount} to ${destinationAddress}; ${txHash} moved ${moved}` }]
}

const pays = (
  transfer: Transfer,
  { network, amount, destinationAddress, contractAddress }: LedgerTransaction,
): boolean =>
  transfer.amount === amount &&
  comparable(network, transfer.to) === comparable(network, destinationAddress ?? '') &&
  comparable(network, transfer.token ?? '') === comparable(network, contractAddress ?? '')

const isOurs = ({ own }: State, { network, from }: Transfer): boolean => own.has(ownKey(network, from))

const sharedHash = (all: LedgerTransaction[]): Finding[] =>
  all.map(({ id, txHash }) => ({ kind: 'made', id, what: `${all.length} withdrawals were COMPLETED by ${txHash}` }))

/** What left us belongs to a completed withdrawal, or to an execution of the portfolio that it left. */
function checkSent(
  state: State,
  { excused }: Knowledge,
  transaction: ChainTransaction,
  withdrawals: LedgerTransaction[],
): Finding[] {
  const left = transaction.transfers.filter((each) => isOurs(state, each))
  if (left.length === 0 || withdrawals.length > 0) return []
  const { network, hash } = transaction
  const orderId = state.signedFor.get(`${network} ${hash}`) ?? ''
  if (excused.has(orderId)) return []
  const accountId = state.own.get(ownKey(network, left[0]?.from ?? ''))
  // Whether it is booked, the portfolio's address says (portfolios.ts).
  if (accountId && state.accountTypes.get(accountId) === 'PORTFOLIO' && !isPayment(state, orderId)) return []
  const order = state.transactions.find(({ id }) => id === orderId)
  const twice = state.transactions.find(({ id, status }) => status === 'COMPLETED' && id === orderId)
  // It was booked by the chain: a restore had taken its withdrawal away, or that ended otherwise.
  const isBooked = state.journal.some((each) => isPaymentOf(each) && transactionOf(each) === `${network} ${hash}`)
  const what = `${left.map(({ amount, to }) => `${amount} to ${to}`)} left by ${hash}`
  if (twice) return [{ kind: 'doubled', id: orderId, what: `${what}; it was paid by ${twice.txHash}` }]
  if (isBooked) return []
  const why = order ? `its withdrawal ${order.id} is ${order.status}` : 'it belongs to no withdrawal'
  return [{ kind: 'lost', id: orderId || hash, what: `${what}; ${why}` }]
}

const isPayment = ({ transactions }: State, orderId: string) => transactions.some(({ id }) => id === orderId)

/** An entry of what left an address of the deployment, and is no transaction of the ledger. */
export const isPaymentOf = ({ kind, transactionId }: Entry): boolean =>
  kind === 'execution' && / out:\d+( \d+)?$/.test(transactionId)

/** Its network and hash. */
export const transactionOf = ({ transactionId }: Entry): string => transactionId.split(' ').slice(0, 2).join(' ')
