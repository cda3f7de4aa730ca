// Attacks on the recount: each changes copies of the databases, or the chain (which goes back afterwards), as consistently
// as it can, and the recount of the outcome must have something new to say.
import type { Database } from 'bun:sqlite'
import type { ServiceName } from '@bursar/contracts/services'
import { insertLike, post, unpost } from './forgery'
import { outsider } from './node'
import type { Finding } from './recount/finding'
import type { Knowledge, LedgerTransaction, State } from './recount/state'
import { callData, hex, selectors } from './rpc'

interface Ground {
  state: State
  knowledge: Knowledge
  /** What the platform's lists say. */
  named: Map<string, string>
  nodeUrl: string
  token: string
  /** Changes a database. */
  change(service: ServiceName, work: (database: Database) => void): void
  /** Sends from an address without its key, and waits for the block. */
  sendAs(from: string, transaction: Record<string, string>): Promise<string>
}
export interface Attack {
  name: string
  /** What the recount must call it. */
  expected: Finding['kind']
  act(ground: Ground): Promise<void> | void
}

const stranger = '0x00000000000000000000000000000000000a77ac'
const newId = () => Bun.randomUUIDv7()
export const attacks: readonly Attack[] = [
  { name: 'double-credit', expected: 'doubled', act: doubleCredit },
  { name: 'payment-without-transaction', expected: 'lost', act: payWithoutTransaction },
  { name: 'lost-deposit', expected: 'lost', act: loseDeposit },
  { name: 'changed-amount', expected: 'wrong', act: changeAmount },
  { name: 'changed-destination', expected: 'wrong', act: changeDestination },
  { name: 'double-signature', expected: 'doubled', act: signTwice },
  { name: 'lost-release', expected: 'wrong', act: loseRelease },
  { name: 'credit-line-drift', expected: 'made', act: driftCreditLine },
  { name: 'forged-completed', expected: 'made', act: forgeCompleted },
  { name: 'unbooked-portfolio-spend', expected: 'lost', act: spendPortfolio },
  { name: 'vanished-fee', expected: 'lost', act: burnFee },
  { name: 'lost-answer', expected: 'lost', act: forgetWithdrawal },
  { name: 'silent-wait', expected: 'stuck', act: waitSilently },
  { name: 'vague-wait', expected: 'stuck', act: waitVaguely },
  { name: 'stale-replica', expected: 'wrong', act: forgetStatus },
]

function some<T>(what: string, list: readonly T[], isMeant: (each: T) => boolean = () => true): T {
  const found = list.find(isMeant)
  if (found === undefined) throw new Error(`The run has made no ${what} that could be attacked`)
  return found
}

const completed = (type: string) => (each: LedgerTransaction) => each.type === type && each.status === 'COMPLETED'

function doubleCredit({ state, change }: Ground): void {
  const arrived = new Set(state.chains.transactions.map(({ hash }) => hash))
  const deposit = some(
    'deposit',
    state.transactions,
    (each) => completed('DEPOSIT')(each) && arrived.has(each.txHash ?? ''),
  )
  const { accountId, assetId, network, amount } = deposit
  change('core-ledger', (database) => {
    const id = insertLike(database, deposit.id, { transfer_key: `forged ${deposit.id}` })
    const arrival = { id, kind: 'arrival', assetId, debit: `world:${network}`, credit: `suspense:${network}`, amount }
    post(database, arrival)
    post(database, { ...arrival, kind: 'credit', debit: `suspense:${network}`, credit: `available:${accountId}` })
  })
}

/** The deployment's address on the node with the most coins, of an account that is no portfolio. */
function richest({ state }: Ground, isPortfolio = false): string {
  const held = [...state.own]
    .filter(([, account]) => (state.accountTypes.get(account ?? '') === 'PORTFOLIO') === isPortfolio)
    .map(([key]) => ({ address: key.split(' ')[1] ?? '', amount: state.chains.held.get(`${key} `) ?? 0n, key }))
    .filter(({ key }) => key.startsWith('ethereum '))
    .sort((one, other) => (one.amount < other.amount ? 1 : -1))
  return some('address with coins', held).address
}

async function payWithoutTransaction(ground: Ground): Promise<void> {
  await ground.sendAs(richest(ground), { to: stranger, value: hex(10n ** 15n) })
}

function loseDeposit({ state, change }: Ground): void {
  const types = state.accountTypes
  const deposit = some(
    'deposit',
    state.transactions,
    (each) => completed('DEPOSIT')(each) && types.get(each.accountId) !== 'PORTFOLIO' && each.network !== 'harbour',
  )
  change('core-ledger', (database) => {
    for (const entry of state.journal) if (entry.transactionId === deposit.id) unpost(database, entry)
    database.run('DELETE FROM transactions WHERE id = ?', [deposit.id])
  })
}

/** One more unit than was asked for, in the record, its entries and the balances. */
function changeAmount({ state, change }: Ground): void {
  const { id, amount } = some('withdrawal', state.transactions, completed('WITHDRAWAL'))
  change('core-ledger', (database) => {
    for (const entry of state.journal.filter(({ transactionId }) => transactionId === id)) {
      unpost(database, entry)
      post(database, { ...entry, id, amount: amount + 1n })
    }
    database.run('UPDATE transactions SET amount = ? WHERE id = ?', [String(amount + 1n), id])
  })
}

function changeDestination({ state, change }: Ground): void {
  const { id } = some('withdrawal', state.transactions, completed('WITHDRAWAL'))
  change('core-ledger', (database) => {
    database.run('UPDATE transactions SET destination_address = ? WHERE id = ?', [stranger, id])
  })
}

async function signTwice({ state, change, sendAs, token }: Ground): Promise<void> {
  const paid = some(
    'withdrawal on the node',
    state.transactions,
    (each) => completed('WITHDRAWAL')(each) && each.network === 'ethereum',
  )
  const {
    hash: first,
    transfers,
    from,
  } = some('payment', state.chains.transactions, ({ hash }) => hash === paid.txHash)
  const { to = '', amount = 0n } = transfers[0] ?? {}
  const again: Record<string, string> =
    paid.contractAddress === null
      ? { to, value: hex(1n) }
      : { to: token, data: callData(selectors.transfer, to, amount < 1n ? amount : 1n) }
  const hash = await sendAs(from, again)
  change('blockchain', (database) => {
    const row = database.query<Record<string, string>, [string]>('SELECT * FROM attempts WHERE tx_hash = ?').get(first)
    const { seq: _, ...copy }: Record<string, string> = { ...row, tx_hash: hash }
    const names = Object.keys(copy)
    database.run(
      `INSERT INTO attempts (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      Object.values(copy),
    )
  })
}

function loseRelease({ state, change }: Ground): void {
  const release = some('release', state.journal, ({ kind }) => kind === 'release')
  change('core-ledger', (database) => unpost(database, release))
}

/** Line and movement agree; no payment stands behind them. */
function driftCreditLine({ state, change }: Ground): void {
  const { participantId, currency, drawn } = some('credit line', state.lines)
  change('transaction-manager', (database) => {
    database.run('UPDATE credit_lines SET drawn = ? WHERE participant_id = ? AND currency = ?', [
      String(drawn + 100n),
      participantId,
      currency,
    ])
    const id = newId()
    for (const kind of ['reserve', 'settle'])
      database.run(
        'INSERT INTO credit_entries (participant_id, currency, kind, amount, payment_id, created_at) VALUES (?, ?, ?, ?, ?, 0)',
        [participantId, currency, kind, '100', id],
      )
  })
}

/** A withdrawal that looks paid in all books. */
function forgeCompleted({ state, change }: Ground): void {
  const paid = some('withdrawal', state.transactions, completed('WITHDRAWAL'))
  const { accountId, assetId, network } = paid
  change('core-ledger', (database) => {
    const id = insertLike(database, paid.id, {
      tx_hash: `0x${newId().replaceAll('-', '').padStart(64, '0')}`,
      amount: '1',
    })
    const hold = {
      id,
      kind: 'hold',
      assetId,
      debit: `available:${accountId}`,
      credit: `frozen:${accountId}`,
      amount: 1n,
    }
    post(database, hold)
    post(database, { ...hold, kind: 'settlement', debit: `frozen:${accountId}`, credit: `world:${network}` })
  })
}

async function spendPortfolio(ground: Ground): Promise<void> {
  const data = callData(selectors.transfer, outsider, 1n)
  await ground.sendAs(richest(ground, true), { to: ground.token, data })
}

/** A transaction that moves nothing, and costs a fee that nobody books. */
async function burnFee(ground: Ground): Promise<void> {
  const from = richest(ground)
  await ground.sendAs(from, { to: from, value: '0x0' })
}

/** A withdrawal that was answered, and never was. Of one whose answer was lost nobody can miss anything. */
function forgetWithdrawal({ state, knowledge, change }: Ground): void {
  const open = some(
    'answered withdrawal that was not paid',
    state.transactions,
    ({ id, type, status }) =>
      type !== 'DEPOSIT' && ['FROZEN', 'REJECTED', 'FAILED'].includes(status) && knowledge.promised.has(id),
  )
  change('core-ledger', (database) => {
    for (const entry of state.journal) if (entry.transactionId === open.id) unpost(database, entry)
    database.run('DELETE FROM transactions WHERE id = ?', [open.id])
  })
}

function waitSilently({ state, change }: Ground): void {
  const frozen = some(
    'movement that was not paid',
    state.transactions,
    // What waits for a party that is not active says so to everybody.
    ({ type, status, accountId, toAccountId }) =>
      type !== 'DEPOSIT' &&
      ['FROZEN', 'REJECTED', 'FAILED'].includes(status) &&
      ![accountId, toAccountId ?? ''].some((id) => state.inactive.has(id)),
  )
  const release = state.journal.find(({ transactionId, kind }) => transactionId === frozen.id && kind === 'release')
  change('core-ledger', (database) => {
    if (release) unpost(database, release)
    database.run("UPDATE transactions SET status = 'APPROVED' WHERE id = ?", [frozen.id])
  })
}

/** In the list of waiting work, with an explanation that helps nobody. */
function waitVaguely(ground: Ground): void {
  waitSilently(ground)
  for (const { id } of ground.state.transactions) ground.named.set(id, 'It could not be carried out; the log says why')
}

/** A customer's status that the ledger has missed. */
function forgetStatus({ change }: Ground): void {
  change('core-ledger', (database) => {
    database.run("UPDATE customers SET status = 'suspended' WHERE id = (SELECT max(id) FROM customers)")
  })
}
