import { wholeList } from '../../../api/list'
import { toWords } from '../../../format/words'
import { Amount } from '../../../ui/amount'
import { Card } from '../../../ui/card'
import { type Column, DataTable } from '../../../ui/data-table'
import { AccountName } from '../../../ui/names'
import { Empty } from '../../../ui/states'
import { Badge } from '../../../ui/status'
import { Time } from '../../../ui/time'
import { type Transaction, useEntries } from './story-query'

type Entry = NonNullable<ReturnType<typeof useEntries>['data']>[number]

/** Its journal entries. */
export function EntriesCard({ of }: { of: Transaction }) {
  const entries = useEntries(of)
  return (
    <Card title="Journal entries" aside={<span class="hint">each moves the amount once</span>} isFlush>
      <DataTable
        label="Journal entries"
        columns={columnsOf(of.asset.code)}
        list={wholeList(entries)}
        idOf={({ number }) => String(number)}
        empty={<Empty title="Nothing is posted">Without entries, no money has moved.</Empty>}
      />
    </Card>
  )
}

const columnsOf = (code: string): Column<Entry>[] => [
  { head: 'No.', narrow: 'sub', cell: ({ number }) => <code>{number}</code> },
  { head: 'Kind', narrow: 'lead', cell: ({ kind }) => toWords(kind) },
  { head: 'From', cell: ({ from }) => <Side of={from} /> },
  { head: 'To', cell: ({ to }) => <Side of={to} /> },
  { head: 'Amount', align: 'end', narrow: 'end', cell: ({ amount }) => <Amount value={amount} asset={code} /> },
  { head: 'Posted', narrow: 'sub-end', cell: ({ at }) => <Time at={at} ms /> },
]

const tones = {
  available: 'good',
  frozen: 'wait',
  suspense: 'move',
  returning: 'move',
  fees: 'plain',
  world: 'plain',
} as const

function Side({ of: { account, bucket } }: { of: Entry['from'] }) {
  const isAccount = bucket === 'available' || bucket === 'frozen'
  return (
    <span class="side">
      <Badge tone={tones[bucket]}>{bucket}</Badge>
      {isAccount ? <AccountName id={account} isPlain /> : <span>{account}</span>}
    </span>
  )
}
