// Compares the journal with the balances, and each transaction with its entries.
import type { Finding } from './finding'
import type { Entry, LedgerTransaction, State } from './state'

export function checkBooks({ journal, balances, transactions, accountTypes }: State): Finding[] {
  return [
    ...checkBalances(journal, balances),
    ...checkSum(balances),
    ...transactions.flatMap((each) => checkEntries(each, entriesOf(journal).get(each.id) ?? [])),
    ...checkOrphans(journal, transactions),
    ...checkAccounts(transactions, accountTypes),
    ...checkReturns(transactions),
  ]
}

function checkBalances(journal: Entry[], balances: State['balances']): Finding[] {
  const sums = new Map<string, bigint>()
  const move = (account: string, by: bigint) => void sums.set(account, (sums.get(account) ?? 0n) + by)
  for (const { debit, credit, assetId, amount } of journal) {
    move(`${debit} ${assetId}`, -amount)
    move(`${credit} ${assetId}`, amount)
  }
  return [...new Set([...sums.keys(), ...balances.keys()])].flatMap((account): Finding[] => {
    const [sum, kept] = [sums.get(account) ?? 0n, balances.get(account) ?? 0n]
    const isOwed = !account.startsWith('world:') && !account.startsWith('fees:')
    if (sum !== kept)
      return [{ kind: 'wrong', id: account, what: `the balance is ${kept}, its entries come to ${sum}` }]
    return isOwed && kept < 0n ? [{ kind: 'wrong', id: account, what: `the balance is ${kept}` }] : []
  })
}

/** Double entry: all balances of an asset sum to zero. */
function checkSum(balances: State['balances']): Finding[] {
  const sums = new Map<string, bigint>()
  for (const [account, amount] of balances) {
    const asset = account.split(' ')[1] ?? ''
    sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  }
  return [...sums]
    .filter(([, sum]) => sum !== 0n)
    .map(([asset, sum]) => ({ kind: 'wrong', id: asset, what: `all balances of the asset come to ${sum}` }))
}

/** By the list: a State is never changed. */
const grouped = new WeakMap<Entry[], Map<string, Entry[]>>()
function entriesOf(journal: Entry[]): Map<string, Entry[]> {
  const known = grouped.get(journal)
  if (known) return known
  const groups = Map.groupBy(journal, ({ transactionId }) => transactionId)
  grouped.set(journal, groups)
  return groups
}

type Sides = Partial<Record<string, [debit: string, credit: string]>>

/** Between what the entries of a kind move. */
function sidesOf({ type, accountId, toAccountId, network, returns }: LedgerTransaction): Sides {
  const [available, frozen] = [`available:${accountId}`, `frozen:${accountId}`]
  if (type === 'DEPOSIT')
    return {
      arrival: [`world:${network}`, `suspense:${network}`],
      credit: [`suspense:${network}`, available],
    }
  if (returns !== null)
    return {
      'return-hold': [`suspense:${network}`, `returning:${network}`],
      'return-release': [`returning:${network}`, `suspense:${network}`],
      return: [`returning:${network}`, `world:${network}`],
    }
  return {
    hold: [available, frozen],
    release: [frozen, available],
    settlement: [frozen, `world:${network}`],
    delivery: [frozen, `available:${toAccountId}`],
  }
}

/** Which kinds of entries a transaction in its status has, each once. */
function expected({ type, status, returns }: LedgerTransaction): string[][] {
  if (returns !== null) return expectedOf(status, 'return-hold', 'return', 'return-release')
  if (type === 'DEPOSIT') return status === 'COMPLETED' ? [['arrival', 'credit']] : [['arrival']]
  return expectedOf(status, 'hold', type === 'TRANSFER' ? 'delivery' : 'settlement', 'release')
}

function expectedOf(status: string, hold: string, done: string, undone: string): string[][] {
  if (status === 'COMPLETED') return [[hold, done]]
  return status === 'REJECTED' || status === 'FAILED' ? [[hold, undone]] : [[hold]]
}

/** A return sends back one deposit, all of it, which was credited to nobody; and a deposit goes back once. */
function checkReturns(transactions: LedgerTransaction[]): Finding[] {
  const byId = new Map(transactions.map((each) => [each.id, each]))
  const standing = transactions.filter(
    ({ returns, status }) => returns !== null && status !== 'REJECTED' && status !== 'FAILED',
  )
  const wrong = standing.filter((each) => {
    const deposit = byId.get(each.returns ?? '')
    return (
      deposit?.type !== 'DEPOSIT' ||
      !['REJECTED', 'FAILED'].includes(deposit.status) ||
      deposit.amount !== each.amount ||
      deposit.assetId !== each.assetId ||
      standing.some((other) => other.id !== each.id && other.returns === each.returns)
    )
  })
  return wrong.map(({ id, returns }) => ({ kind: 'made', id, what: `it returns ${returns}, and should not` }))
}

function checkEntries(transaction: LedgerTransaction, entries: Entry[]): Finding[] {
  const { id, type, status, amount, assetId } = transaction
  const kinds = entries.map(({ kind }) => kind).sort()
  const fits = expected(transaction).some((wanted) => Bun.deepEquals([...wanted].sort(), kinds))
  const what = `${type} ${status} with the entries ${kinds.join(', ') || 'none'}`
  const found: Finding[] = fits ? [] : [{ kind: 'wrong', id, what }]
  const sides = sidesOf(transaction)
  for (const entry of entries) {
    const isAmount = entry.amount === amount && entry.assetId === assetId
    if (!isAmount)
      found.push({ kind: 'wrong', id, what: `${type} of ${amount}, its ${entry.kind} is of ${entry.amount}` })
    const [debit, credit] = sides[entry.kind] ?? []
    if (debit !== entry.debit || credit !== entry.credit)
      found.push({ kind: 'wrong', id, what: `its ${entry.kind} goes from ${entry.debit} to ${entry.credit}` })
  }
  return found
}

/** Entries of no transaction: what moved at a portfolio's address, and fees. */
function checkOrphans(journal: Entry[], transactions: LedgerTransaction[]): Finding[] {
  const known = new Set(transactions.map(({ id }) => id))
  return journal
    .filter(({ transactionId, kind }) => !known.has(transactionId) && kind !== 'execution' && kind !== 'fee')
    .map(({ transactionId: id, kind }) => ({ kind: 'made', id, what: `a ${kind} of a transaction that is not there` }))
}

/** Nothing moves between a portfolio and another account inside the ledger. */
const checkAccounts = (transactions: LedgerTransaction[], types: State['accountTypes']): Finding[] =>
  transactions
    .filter(({ type }) => type === 'TRANSFER')
    .filter(({ accountId, toAccountId }) => [accountId, toAccountId].some((id) => types.get(id ?? '') === 'PORTFOLIO'))
    .map(({ id }) => ({ kind: 'wrong', id, what: 'a transfer with a portfolio on one side' }))
