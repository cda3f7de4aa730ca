// All that a recount looks at: the databases' rows and the chains, as plain records. Nothing here is code of the services.
import type { ServiceName } from '@bursar/contracts/services'
import { type ChainState, comparable, readNode, readSimulated } from './chains'
import { rows } from './read-files'
import { replicasIn } from './replicas'

export interface Entry {
  seq: number
  transactionId: string
  kind: string
  assetId: string
  debit: string
  credit: string
  amount: bigint
}
export interface LedgerTransaction {
  id: string
  type: string
  status: string
  accountId: string
  toAccountId: string | null
  assetId: string
  amount: bigint
  network: string
  contractAddress: string | null
  decimals: number
  destinationAddress: string | null
  /** The deposit that a withdrawal sends back. */
  returns: string | null
  txHash: string | null
  phases: string | null
}
export interface Order {
  id: string
  kind: string
  status: string
  accountId: string
  network: string
  txHash: string | null
  reason: string | null
  dueAt: number | null
}
/** What an institution has ordered at the blockchain service. */
export interface ChainOrder {
  id: string
  status: string
  reason: string | null
  /** The ledger's withdrawal. */
  ledgerId: string | null
  accountId: string
  /** A decimal string. */
  amount: string
  destination: string
  isOpen: boolean
}
export interface State {
  assets: { id: string; code: string; network: string; contract: string | null }[]
  journal: Entry[]
  /** By `available:<account> <asset>`, `world:<network> <asset>` … */
  balances: Map<string, bigint>
  transactions: LedgerTransaction[]
  work: { id: string; lastError: string | null }[]
  contradictions: string[]
  /** What is open, of an account's asset, or of the asset as a whole (null). */
  shortfalls: { accountId: string | null; assetId: string }[]
  /** Withdrawals that were frozen after their approval. */
  frozenAgain: string[]
  /** Accounts that are not active, or whose customer or institution is not, by the services that own them. */
  inactive: Set<string>
  /** Deposits that were set aside: `network hash`, with the reason. */
  aside: Map<string, string>
  accountTypes: Map<string, string>
  orders: Order[]
  /** Addresses of the deployment: `network address` → account, null for its own hot wallet. */
  own: Map<string, string | null>
  /** By `network hash`: the order that a signature was for. */
  signedFor: Map<string, string>
  sends: { id: string; status: string; lastError: string | null; isOpen: boolean }[]
  chainOrders: ChainOrder[]
  chains: ChainState
  payments: {
    id: string
    type: string
    status: string
    amount: bigint
    currency: string
    from: string | null
    to: string | null
    usesCredit: boolean
  }[]
  lines: { participantId: string; currency: string; limit: bigint; reserved: bigint; drawn: bigint }[]
  lineEntries: { participantId: string; currency: string; kind: string; amount: bigint; paymentId: string }[]
  /** Records of a service as it has them, and as another one knows them. */
  replicas: { owner: string; holder: string; owned: Set<string>; known: Set<string> }[]
}

/** What the run knows and no database says. */
export interface Knowledge {
  promised: ReadonlyMap<
    string,
    {
      type: string
      accountId: string
      toAccountId: string | null
      assetId: string
      amount: bigint
      destination: string | null
    }
  >
  payments: ReadonlyMap<string, bigint>
  /** Deposits that people recorded: `network hash`. */
  byHand: ReadonlySet<string>
  /** Institutions' orders that were answered. */
  orders: ReadonlySet<string>
  /** Addresses that were given out: `network address` → account, null for the hot wallet. */
  own: ReadonlyMap<string, string | null>
  /** What a restore took from the ledger: promises that are excused. */
  excused: ReadonlySet<string>
  /** What the platform itself says waits for a person, with the words. */
  named: ReadonlyMap<string, string>
}

export const ownKey = (network: string, address: string): string => `${network} ${comparable(network, address)}`

export async function readState(
  file: (service: ServiceName) => string,
  nodeUrl: string,
  token: string,
  knowledge: Knowledge,
): Promise<State> {
  const own = new Map(knowledge.own)
  for (const { network, address, account } of rows<{ network: string; address: string; account: string }>(
    file('wallet'),
    'SELECT network, address, account_id AS account FROM wallets',
  ))
    own.set(ownKey(network, address), account)
  const evm = [...own.keys()].filter((key) => key.startsWith('ethereum ')).map((key) => key.slice('ethereum '.length))
  const node = await readNode(nodeUrl, evm, [token])
  const simulated = readSimulated(file('blockchain'))
  return {
    ...ledgerOf(file('core-ledger')),
    inactive: inactiveIn(file),
    replicas: replicasIn(file),
    ...walletOf(file('wallet')),
    ...blockchainOf(file('blockchain')),
    signedFor: signaturesIn(file('blockchain'), file('wallet')),
    ...paymentsOf(file('transaction-manager')),
    own,
    chains: {
      transactions: [...node.transactions, ...simulated.transactions],
      held: new Map([...node.held, ...simulated.held]),
    },
  }
}

/** SQLite gives amounts as they are kept: text. */
type Text<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] extends boolean ? number : T[K] }
const amounts = <T extends { amount: bigint }>(found: Text<T>[]): T[] =>
  found.map((row) => ({ ...row, amount: BigInt(row.amount as string) }) as unknown as T)

/** What is outside the books is added up behind the journal: what the newest entries add to it. */
function unfoldedIn(file: string): { account: string; asset: string; by: bigint }[] {
  const newest = rows<Record<string, string>>(
    file,
    `SELECT debit, credit, asset_id AS asset, amount FROM journal
     WHERE seq > coalesce((SELECT json_extract(value, '$.entries') FROM meta WHERE key = 'place of sums'), 0)`,
  )
  return newest.flatMap(({ debit = '', credit = '', asset = '', amount = '0' }) =>
    [
      { account: debit, asset, by: -BigInt(amount) },
      { account: credit, asset, by: BigInt(amount) },
    ].filter(({ account }) => /^(world|fees):/.test(account)),
  )
}

function ledgerOf(file: string) {
  const balances = new Map<string, bigint>()
  for (const row of rows<Record<string, string>>(file, 'SELECT * FROM balances')) {
    balances.set(`available:${row.account_id} ${row.asset_id}`, BigInt(row.available ?? 0))
    balances.set(`frozen:${row.account_id} ${row.asset_id}`, BigInt(row.frozen ?? 0))
  }
  for (const row of rows<Record<string, string>>(file, 'SELECT * FROM system_balances'))
    balances.set(`${row.name} ${row.asset_id}`, BigInt(row.amount ?? 0))
  for (const { account, asset, by } of unfoldedIn(file)) {
    const place = `${account} ${asset}`
    balances.set(place, (balances.get(place) ?? 0n) + by)
  }
  const aside = rows<{ deposit: string; reason: string }>(file, 'SELECT deposit, reason FROM unmatched_deposits')
  return {
    assets: rows<State['assets'][number]>(file, 'SELECT id, code, network, contract_address AS contract FROM assets'),
    journal: amounts<Entry>(
      rows(
        file,
        'SELECT seq, transaction_id AS transactionId, kind, asset_id AS assetId, debit, credit, amount FROM journal ORDER BY seq',
      ),
    ),
    balances,
    transactions: amounts<LedgerTransaction>(
      rows(
        file,
        `SELECT id, type, status, account_id AS accountId, to_account_id AS toAccountId, asset_id AS assetId, amount, network,
           contract_address AS contractAddress, decimals, destination_address AS destinationAddress, returns, tx_hash AS txHash, phases
         FROM transactions`,
      ),
    ),
    work: rows<State['work'][number]>(file, 'SELECT transaction_id AS id, last_error AS lastError FROM work'),
    contradictions: rows<{ id: string }>(
      file,
      'SELECT transaction_id AS id FROM failed_withdrawals WHERE contradiction IS NOT NULL',
    ).map(({ id }) => id),
    shortfalls: rows<State['shortfalls'][number]>(
      file,
      'SELECT account_id AS accountId, asset_id AS assetId FROM shortfalls',
    ),
    frozenAgain: rows<{ id: string }>(file, 'SELECT transaction_id AS id FROM refrozen_withdrawals').map(
      ({ id }) => id,
    ),
    aside: new Map(
      aside.map(({ deposit, reason }) => {
        const { network, txHash } = JSON.parse(deposit) as { network: string; txHash: string }
        return [`${network} ${txHash}`, reason]
      }),
    ),
    accountTypes: new Map(
      rows<{ id: string; type: string }>(file, 'SELECT id, type FROM accounts').map(({ id, type }) => [id, type]),
    ),
  }
}

function inactiveIn(file: (service: ServiceName) => string): Set<string> {
  const idsIn = (service: ServiceName, sql: string) =>
    new Set(rows<{ id: string }>(file(service), sql).map(({ id }) => id))
  const customers = idsIn('customer', "SELECT id FROM customers WHERE status <> 'active'")
  const institutions = idsIn('main-api', "SELECT id FROM participants WHERE status <> 'APPROVED'")
  const accounts = rows<{ id: string; status: string; customer: string; institution: string }>(
    file('account'),
    'SELECT id, status, customer_id AS customer, participant_id AS institution FROM accounts',
  )
  const isInactive = ({ status, customer, institution }: (typeof accounts)[number]) =>
    status !== 'active' || customers.has(customer) || institutions.has(institution)
  return new Set(accounts.filter(isInactive).map(({ id }) => id))
}

const walletOf = (file: string) => ({
  orders: rows<Order>(
    file,
    'SELECT id, kind, status, account_id AS accountId, network, tx_hash AS txHash, reason, due_at AS dueAt FROM orders',
  ),
})

/** As both services keep them: one of the two may have been set back. */
const signaturesIn = (blockchainFile: string, walletFile: string): Map<string, string> =>
  new Map(
    [
      ...rows<Record<string, string>>(walletFile, 'SELECT network, tx_hash, order_id AS id FROM signatures'),
      ...rows<Record<string, string>>(blockchainFile, 'SELECT network, tx_hash, send_id AS id FROM attempts'),
    ].map((row) => [`${row.network} ${row.tx_hash}`, row.id ?? '']),
  )

const blockchainOf = (file: string) => ({
  sends: rows<Omit<State['sends'][number], 'isOpen'> & { isOpen: number }>(
    file,
    'SELECT id, status, last_error AS lastError, due_at IS NOT NULL AS isOpen FROM sends',
  ).map((row) => ({ ...row, isOpen: row.isOpen === 1 })),
  chainOrders: rows<Omit<ChainOrder, 'isOpen'> & { isOpen: number }>(
    file,
    `SELECT id, status, reason, ledger_id AS ledgerId, account_id AS accountId, amount, destination_address AS destination,
       due_at IS NOT NULL AS isOpen FROM transactions`,
  ).map((row) => ({ ...row, isOpen: row.isOpen === 1 })),
})

const paymentsOf = (file: string) => ({
  payments: amounts<State['payments'][number]>(
    rows(
      file,
      `SELECT id, type, status, amount, currency, from_participant_id AS "from", to_participant_id AS "to",
         uses_credit AS usesCredit FROM payments`,
    ),
  ).map((row) => ({ ...row, usesCredit: Boolean(row.usesCredit) })),
  lines: rows<Record<string, string>>(file, 'SELECT * FROM credit_lines').map((row) => ({
    participantId: row.participant_id ?? '',
    currency: row.currency ?? '',
    limit: BigInt(row.limit ?? 0),
    reserved: BigInt(row.reserved ?? 0),
    drawn: BigInt(row.drawn ?? 0),
  })),
  lineEntries: amounts<State['lineEntries'][number]>(
    rows(
      file,
      `SELECT participant_id AS participantId, currency, kind, amount, payment_id AS paymentId FROM credit_entries
       ORDER BY seq`,
    ),
  ),
})
