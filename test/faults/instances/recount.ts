// Everything is counted again: each answer is kept once, the chains have paid each once, balances and events add up.
import type { EventType } from '@bursar/contracts/event'
import { eventCatalogue } from '@bursar/contracts/events'
import { rpc } from '../money/rpc'
import type { Callers } from './callers'
import type { Deployment } from './deployment'
import { balancesOf, type Knowledge, networks, type Ordered } from './load'
import { schemaOf, schemas, textArray } from './watch'

interface Row {
  id: string
  type: 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER'
  status: string
  account_id: string
  to_account_id: string | null
  network: string
  amount: string
  destination_address: string | null
  tx_hash: string | null
}

/** What is not settled yet; empty once all is. */
export async function unsettled(client: Bun.SQL, known: Knowledge): Promise<string[]> {
  const open = await client.unsafe(
    "SELECT status, count(*)::int AS n FROM core.transactions WHERE status <> 'COMPLETED' GROUP BY 1",
  )
  const [{ n: deposits }] = await client.unsafe(
    "SELECT count(*)::int AS n FROM core.transactions WHERE type = 'DEPOSIT'",
  )
  const events = await notActedOn(client)
  return [
    ...open.map(({ status, n }: { status: string; n: number }) => `${n} transactions are ${status}`),
    ...(deposits < known.paidIn.size ? [`${known.paidIn.size - deposits} deposits are not recorded`] : []),
    ...events.slice(0, 5),
  ]
}

/** The ledger against what was answered. */
export async function recountLedger(client: Bun.SQL, callers: Callers, known: Knowledge): Promise<string[]> {
  const rows = (await client.unsafe(
    `SELECT id, type, status, account_id, to_account_id, network, amount::text AS amount, destination_address, tx_hash
     FROM core.transactions`,
  )) as Row[]
  const problems: string[] = []
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const one of known.ordered.values()) {
    const row = byId.get(one.id)
    if (!row) problems.push(`${one.type} ${one.id} was answered, and is lost`)
    else if (row.status !== 'COMPLETED' || !isAs(row, one))
      problems.push(`${one.type} ${one.id} is ${JSON.stringify(row)}`)
  }
  const unanswered = [...known.unanswered]
  for (const row of rows.filter(({ type, id }) => type !== 'DEPOSIT' && !known.ordered.has(id))) {
    const place = unanswered.findIndex((one) => isAs(row, one))
    if (place < 0) problems.push(`${row.type} ${row.id} was never ordered: ${JSON.stringify(row)}`)
    else unanswered.splice(place, 1)
  }
  const deposits = Map.groupBy(
    rows.filter(({ type }) => type === 'DEPOSIT'),
    ({ tx_hash: hash }) => hash ?? '',
  )
  for (const { hash, account, amount } of known.paidIn.values()) {
    const own = deposits.get(hash) ?? []
    const isRight = own.length === 1 && own[0]?.account_id === account && own[0].amount === String(amount)
    if (!isRight || own[0]?.status !== 'COMPLETED') problems.push(`The deposit ${hash} is ${JSON.stringify(own)}`)
  }
  for (const hash of deposits.keys()) if (!known.paidIn.has(hash)) problems.push(`The deposit ${hash} was never paid`)
  return [...problems, ...(await recountBalances(callers, known, rows))]
}

const isAs = (row: Row, one: Omit<Ordered, 'id'>): boolean =>
  row.type === one.type &&
  row.account_id === one.account &&
  row.network === one.network &&
  row.amount === String(one.amount) &&
  (one.type === 'TRANSFER' ? row.to_account_id : row.destination_address) === one.to

async function recountBalances(callers: Callers, known: Knowledge, rows: readonly Row[]): Promise<string[]> {
  const problems: string[] = []
  for (const { id } of known.accounts) {
    const balances = await balancesOf(callers, id)
    for (const network of networks) {
      const own = rows.filter((row) => row.network === network && row.status === 'COMPLETED')
      const wanted = own.reduce((sum, row) => sum + effectOn(id, row), 0n)
      const balance = balances.find(({ assetId }) => assetId === known.assets[network])
      const found = BigInt(Math.round(Number(balance?.totalBalance ?? 0) * 1000)) * 10n ** 15n
      if (found !== wanted) problems.push(`${id} has ${found} on ${network}, not ${wanted}`)
    }
  }
  return problems
}

function effectOn(account: string, row: Row): bigint {
  const amount = BigInt(row.amount)
  const isOut = row.type !== 'DEPOSIT' && row.account_id === account
  const isIn = row.type === 'DEPOSIT' ? row.account_id === account : row.to_account_id === account
  return (isIn ? amount : 0n) - (isOut ? amount : 0n)
}

/** The chains against the ledger's withdrawals: the node is asked itself, the simulated one is read where it is kept. */
export async function recountChains(
  client: Bun.SQL,
  { node }: Deployment,
): Promise<{ paid: number; problems: string[] }> {
  const rows = await client.unsafe(
    "SELECT id, network, destination_address AS to, amount::text AS amount FROM core.transactions WHERE type = 'WITHDRAWAL'",
  )
  const problems: string[] = []
  let paid = 0
  for (const { id, network, to, amount } of rows as { id: string; network: string; to: string; amount: string }[]) {
    const payments =
      network === 'ethereum'
        ? [BigInt(await rpc<string>(node.url, 'eth_getBalance', [to, 'latest']))]
        : await simulated(client, to)
    const sum = payments.reduce((all, one) => all + one, 0n)
    if (sum === BigInt(amount) && payments.length === 1) paid += 1
    else problems.push(`Withdrawal ${id} of ${amount} was paid ${payments.join(' and ') || 'nothing'} on ${network}`)
  }
  return { paid, problems }
}

const simulated = async (client: Bun.SQL, to: string): Promise<bigint[]> =>
  (
    await client.unsafe(
      'SELECT amount::text AS amount FROM blockchain.simulated_transactions WHERE lower(to_address) = lower($1) AND failure IS NULL',
      [to],
    )
  ).map(({ amount }: { amount: string }) => BigInt(amount))

/** Of events that tell a record's state only the newest goes out; these two are acted on without a receipt. */
const hasNoReceipt = ({ name, stateOf }: EventType): boolean =>
  stateOf !== undefined || ['core-ledger.asset.changed', 'identity-manager.session.revoked'].includes(name)

/** Events that one of their consumers has no receipt of. */
async function notActedOn(client: Bun.SQL): Promise<string[]> {
  const problems: string[] = []
  for (const schema of schemas) {
    const names = [...eventCatalogue.values()].filter(
      (event) => !hasNoReceipt(event) && event.consumers.some((consumer) => schemaOf(consumer) === schema),
    )
    if (names.length === 0) continue
    const missing = await client.unsafe(
      `SELECT name, count(*)::int AS n, min(id) AS id FROM seen.events e
       WHERE name = ANY($1::text[]) AND NOT EXISTS (SELECT 1 FROM "${schema}".inbox i WHERE i.event_id = e.id::uuid) GROUP BY 1`,
      [textArray(names.map(({ name }) => name))],
    )
    for (const { name, n, id } of missing)
      problems.push(`${schema} has not acted on ${n} events ${name}, such as ${id}`)
  }
  return problems
}

/** What events make, each once: jobs, orders, sends, notifications and log messages of the ledger's transactions. */
export async function recountEvents(client: Bun.SQL): Promise<{ events: number; problems: string[] }> {
  const problems = await notActedOn(client)
  const once = async (what: string, query: string) => {
    for (const row of await client.unsafe(query)) problems.push(`${what}: ${JSON.stringify(row)}`)
  }
  const withdrawals = "core.transactions t WHERE t.type = 'WITHDRAWAL'"
  await once(
    'A screening',
    `SELECT id FROM ${withdrawals} AND
    (SELECT count(*) FROM sanctions.jobs j WHERE j.kind = 'ledger' AND j.external_id = t.id) <> 1`,
  )
  await once(
    'An order',
    `SELECT id FROM ${withdrawals} AND (SELECT count(*) FROM wallet.orders o WHERE o.id = t.id AND o.status = 'confirmed') <> 1`,
  )
  await once(
    'A send',
    `SELECT id FROM ${withdrawals} AND (SELECT count(*) FROM blockchain.sends s WHERE s.id = t.id AND s.status = 'confirmed') <> 1`,
  )
  await once(
    'An order of nobody',
    'SELECT id FROM wallet.orders o WHERE NOT EXISTS (SELECT 1 FROM core.transactions t WHERE t.id = o.id)',
  )
  await once(
    'A send of nobody',
    'SELECT id FROM blockchain.sends s WHERE NOT EXISTS (SELECT 1 FROM core.transactions t WHERE t.id = s.id)',
  )
  await once(
    'Notifications',
    `SELECT transaction_id, data::json ->> 'status' AS status, count(*)::int AS n FROM notification.events
    GROUP BY 1, 2 HAVING count(*) <> 1`,
  )
  await once(
    'No notification',
    `SELECT id FROM core.transactions t WHERE NOT EXISTS (SELECT 1 FROM notification.events e
    WHERE e.transaction_id = t.id AND e.data::json ->> 'status' = 'COMPLETED')`,
  )
  await once(
    'Numbers of notifications',
    `SELECT participant_id, type, count(*)::int AS n, max(number) - min(number) + 1 AS span
    FROM notification.listed_events GROUP BY 1, 2 HAVING count(*) <> max(number) - min(number) + 1`,
  )
  const messages = await client.unsafe(`SELECT
    (SELECT count(*)::int FROM tracker.log_messages) AS stored, (SELECT coalesce(sum(messages), 0)::int FROM tracker.log_series) AS counted`)
  if (messages[0].stored !== messages[0].counted)
    problems.push(`The tracker stores ${messages[0].stored} messages and counts ${messages[0].counted}`)
  const [{ n: events }] = await client.unsafe('SELECT count(*)::int AS n FROM seen.events')
  return { events, problems }
}
