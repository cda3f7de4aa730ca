import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { operations } from '#types/core-ledger'
import { wholeList } from '../../api/list'
import { useOwner } from '../../api/owners'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { core } from '../../api/services'
import { useCan } from '../../api/session'
import { toWords } from '../../format/words'
import { Act, MoreActs } from '../../ui/act'
import { Button } from '../../ui/button'
import { Card, Facts } from '../../ui/card'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { AssetAmount, InstitutionName } from '../../ui/names'
import { Page } from '../../ui/page'
import { Empty, Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { HistoryCard, type HistoryProps } from '../../ui/status-history'
import { Time } from '../../ui/time'
import { recordStatuses } from './accounts-query'

interface Row {
  id: string
  status: RecordStatus
  createdAt: string
}
type FactsOf = Parameters<typeof Facts>[0]['of']

interface Props<R> extends Pick<SetStatusProps, 'thing' | 'meaning' | 'set'> {
  of: ReturnType<typeof useRead<R, R>>
  nameOf(row: R): string
  /** Whose it is, before its institution; and what else is known of it. */
  ownerOf?(row: R): FactsOf
  factsOf(row: R): FactsOf
  history: HistoryProps<RecordStatus>['read']
  /** Before its transactions. */
  children(row: R): ComponentChildren
  beside?: ComponentChildren
}

/** One account or customer: what it has, its transactions, its facts and history, and the acts that set its status. */
export function RecordPage<R extends Row>({ thing, of, nameOf, children, beside, history, ...rest }: Props<R>) {
  const mayAct = useCan('operate')
  const { data } = of
  return (
    <Page
      title={data ? nameOf(data) : toWords(thing)}
      badge={data ? <Status value={data.status} /> : null}
      up={{ href: `/console/${thing}s`, words: toWords(`${thing}s`) }}
      actions={data && mayAct ? <SetStatus thing={thing} {...data} name={nameOf(data)} {...rest} /> : null}
    >
      <Loaded of={of} lines={8}>
        {(row) => (
          <div class="columns is-side">
            <div class="stack">
              {children(row)}
              <RecentTransactions of={thing === 'account' ? { accountId: row.id } : { customerId: row.id }} />
            </div>
            <div class="stack">
              <RecordFacts thing={thing} of={row} owner={rest.ownerOf?.(row) ?? []} more={rest.factsOf(row)} />
              {beside}
              <HistoryCard of={[thing, row.id]} createdAt={row.createdAt} read={history} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

interface RecordFactsProps {
  thing: 'account' | 'customer'
  of: Row
  owner: FactsOf
  more: FactsOf
}

function RecordFacts({ thing, of: { id, createdAt }, owner, more }: RecordFactsProps) {
  const { data } = useOwner(`${thing}s`, id)
  const name = thing === 'account' ? <InstitutionName accountId={id} /> : <InstitutionName customerId={id} />
  return (
    <Card title="About">
      <Facts
        of={[
          ...owner,
          ['Institution', data?.participantId ? name : null],
          ...more,
          [`${toWords(thing)} id`, <Id value={id} isWhole />],
          ['Created', <Time at={createdAt} isWhole />],
        ]}
      />
    </Card>
  )
}

const shown = 10

/** The newest transactions of an account or a customer, and a link to all of them. */
function RecentTransactions({ of }: { of: { accountId: string } | { customerId: string } }) {
  const recent = useRead(['transactions', 'recent', of], (signal) =>
    core.GET('/transactions', { params: { query: { ...of, order: 'desc', limit: shown } }, signal }),
  )
  return (
    <DataTable
      title="Latest transactions"
      aside={
        <>
          {'accountId' in of ? <a href={`/console/statements?account=${of.accountId}`}>Statement</a> : null}
          <a href={`/console/transactions?${new URLSearchParams(of)}`}>All of them</a>
        </>
      }
      columns={columns}
      list={wholeList(recent.data, recent)}
      hrefOf={({ id }) => `/console/transactions/${id}`}
      empty={<Empty icon="transactions" title="No transactions yet" />}
    />
  )
}

type Recent = operations['listTransactions']['responses'][200]['content']['application/json'][number]

const columns: readonly Column<Recent>[] = [
  { head: 'Type', narrow: 'lead', cell: ({ type }) => toWords(type) },
  { head: 'Status', narrow: 'sub-end', cell: ({ status }) => <Status value={status} /> },
  amountColumn(({ amount, assetId }) => <AssetAmount value={amount} assetId={assetId} />),
  { head: 'Reference', narrow: 'hide', cell: ({ reference }) => reference },
  { head: 'Created', narrow: 'sub', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

type RecordStatus = (typeof recordStatuses)[number]

const changes = {
  active: { verb: 'Activate', look: 'main', done: 'active again' },
  suspended: { verb: 'Suspend', look: 'danger', done: 'suspended' },
  inactive: { verb: 'Deactivate', look: 'danger', done: 'inactive' },
  deleted: { verb: 'Mark as deleted', look: 'danger', done: 'marked as deleted' },
} as const satisfies Record<RecordStatus, object>

interface SetStatusProps {
  /** The kind of record; its page and its list are read again. */
  thing: 'account' | 'customer'
  id: string
  name: string
  status: RecordStatus
  /** The meaning of each status for it, in a sentence or two. */
  meaning: Readonly<Record<RecordStatus, string>>
  set(body: { status: RecordStatus; statusReason: string }): Promise<unknown>
}

/** The buttons that set a status: the likely one directly, the others in a menu. Each asks for a reason. */
function SetStatus({ thing, id, name, status, meaning, set }: SetStatusProps) {
  const [wanted, setWanted] = useState<RecordStatus | null>(null)
  const likely = status === 'active' ? 'suspended' : 'active'
  const others = recordStatuses.filter((each) => each !== status && each !== likely)
  return (
    <>
      <Button
        look={changes[likely].look}
        icon={likely === 'active' ? 'play' : 'pause'}
        onClick={() => setWanted(likely)}
      >
        {changes[likely].verb}
      </Button>
      <MoreActs
        label="Other statuses"
        acts={others.map((each) => [changes[each].verb, () => setWanted(each)] as const)}
      />
      {wanted ? (
        <Act
          title={`${changes[wanted].verb} this ${thing}?`}
          confirm={changes[wanted].verb}
          look={changes[wanted].look}
          note={{
            label: 'Reason',
            hint: 'Stays in the history, with your name. The customer does not see it.',
            min: 3,
          }}
          act={({ note }) => set({ status: wanted, statusReason: note })}
          done={`${name} is ${changes[wanted].done}`}
          onDone={() => reread([thing, id], [`${thing}s`])}
          onClose={() => setWanted(null)}
        >
          <p>
            <strong>{name}</strong>
          </p>
          <p>{meaning[wanted]}</p>
        </Act>
      ) : null}
    </>
  )
}
