import type { ComponentChildren } from 'preact'
import { useOwner } from '../../api/owners'
import type { useRead } from '../../api/read'
import { useCan } from '../../api/session'
import { toWords } from '../../format/words'
import { Card, Facts } from '../../ui/card'
import { Id } from '../../ui/id'
import { InstitutionName } from '../../ui/names'
import { Page } from '../../ui/page'
import { RecentTransactions } from '../../ui/recent-transactions'
import { type RecordStatus, SetStatus, type SetStatusProps } from '../../ui/set-status'
import { Loaded } from '../../ui/states'
import { Status } from '../../ui/status'
import { HistoryCard, type HistoryProps } from '../../ui/status-history'
import { Time } from '../../ui/time'

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
