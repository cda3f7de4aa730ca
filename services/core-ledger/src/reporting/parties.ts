import { isoTime } from '@bursar/contracts/iso-time'
import { about, nullable, type Static, t, timestamp } from '@bursar/contracts/schema'
import { scaled, worth } from '@bursar/money'
import type { Db } from '@bursar/store'
import type { UsdRates } from '../assets/usd-rates'
import { type TransactionRecord, transactionById } from '../movements/read-transactions'
import type { TransactionFilters } from '../movements/transactions.model'
import { transactionChunks } from './list-transactions'

/** Statistics cover this many transactions at most: the newest ones. */
const mostCounted = 200

/** What is usual among earlier transactions with a party. */
const habit = {
  count: about(
    'The number of its other transactions, 200 at most: the newest ones',
    t.Integer({ maximum: mostCounted }),
  ),
  completed: about('How many of them were completed', t.Integer()),
  refused: about('How many of them were rejected or have failed', t.Integer()),
  usdValue: about('What the completed ones are worth at current rates; assets without a rate are left out', t.Number()),
  largestUsd: about('The same of the largest', t.Number()),
  firstAt: about('When the first one was created; null if there was none', nullable(timestamp())),
  lastAt: about('The same of the last one', nullable(timestamp())),
}

/** GET /transactions/:id/parties */
export const Parties = t.Object(
  {
    customer: about('What the customer usually does', t.Object(habit, { title: 'CustomerHabit' })),
    counterparty: about(
      'Null for a transfer, and for a transaction without an address',
      nullable(
        t.Object(
          {
            address: t.String(),
            ...habit,
            accounts: about('The number of accounts that have dealt with it', t.Integer()),
          },
          { title: 'CounterpartyHabit' },
        ),
      ),
    ),
  },
  { title: 'TransactionParties' },
)
type Parties = Static<typeof Parties>

/** What the customer of a transaction, and its counterparty, usually do: what its reviewer compares it with. */
export async function partiesOf({ db, rates }: { db: Db; rates: UsdRates }, id: string): Promise<Parties> {
  const record = await transactionById(db, id)
  const { type, customerId, accountId } = record
  const address = type === 'DEPOSIT' ? record.sourceAddress : type === 'WITHDRAWAL' ? record.destinationAddress : null
  const own = customerId === '' ? { accountId } : { customerId }
  const [customers, others] = await Promise.all([
    historyOf(db, record, own),
    address === null ? null : historyOf(db, record, { address }),
  ])
  const codes = [...customers.newest, ...(others?.newest ?? [])].map(({ asset }) => asset.code)
  const usd = await rates.ratesOf([...new Set(codes)])
  return {
    customer: habitOf(customers, usd),
    counterparty:
      address === null || others === null
        ? null
        : {
            address,
            ...habitOf(others, usd),
            accounts: new Set(others.newest.map((each) => each.accountId)).size,
          },
  }
}

interface History {
  /** Without the transaction itself. */
  newest: TransactionRecord[]
  first: TransactionRecord | undefined
}

async function historyOf(db: Db, { id }: TransactionRecord, filters: TransactionFilters): Promise<History> {
  const read = async (order: 'asc' | 'desc', limit: number) => {
    const found: TransactionRecord[] = []
    for await (const chunk of transactionChunks(db, { ...filters, order, limit })) found.push(...chunk)
    return found.filter((each) => each.id !== id)
  }
  const [newest, oldest] = await Promise.all([read('desc', mostCounted), read('asc', 2)])
  return { newest, first: oldest[0] }
}

function habitOf({ newest, first }: History, usd: ReadonlyMap<string, number | null>) {
  const completed = newest.filter(({ status }) => status === 'COMPLETED')
  const values = completed.flatMap(({ amount, asset }) => {
    const rate = usd.get(asset.code)
    return rate == null ? [] : [worth(amount, asset.decimals, rate, 2, 'halfEven')]
  })
  const [last] = newest
  return {
    count: newest.length,
    completed: completed.length,
    refused: newest.filter(({ status }) => status === 'REJECTED' || status === 'FAILED').length,
    usdValue: values.reduce((sum, value) => sum.plus(value), scaled(0n, 0)).toNumber(),
    largestUsd: Math.max(0, ...values.map((value) => value.toNumber())),
    firstAt: first ? isoTime(first.createdAt) : null,
    lastAt: last ? isoTime(last.createdAt) : null,
  }
}
