import { useRef, useState } from 'preact/hooks'
import { apiBase } from '../../api/http'
import { useList } from '../../api/list'
import { useUserNames } from '../../api/names'
import { useColleagues } from '../../api/review-notes'
import { useStore } from '../../api/store'
import { formatCount } from '../../format/amount'
import { givenFilters } from '../../format/filters'
import { dayStart } from '../../format/time'
import { counted, isUuid } from '../../format/words'
import { Button } from '../../ui/button'
import { Card, Facts, SidePanel } from '../../ui/card'
import { CsvLink } from '../../ui/csv-link'
import { type Column, DataTable } from '../../ui/data-table'
import { type FilterField, Filters } from '../../ui/filters'
import { Id, RequestId } from '../../ui/id'
import { JsonView } from '../../ui/json-view'
import { Page } from '../../ui/page'
import { zoneStore } from '../../ui/preferences'
import { Empty, Loaded, Note } from '../../ui/states'
import { Status } from '../../ui/status'
import { Time } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { ActorName, ObjectName } from './act-names'
import { actTitle, knownActions, sentenceOf } from './act-sentences'
import { type AuditAct, type AuditActDetail, type AuditCheck, auditPage, useAct, useCheck } from './audit-query'
import { changesBetween, shownValue } from './changes'

const names = ['actor', 'action', 'object', 'from', 'to'] as const
const fieldsOf = (people: readonly Person[]): readonly FilterField<(typeof names)[number]>[] => [
  { kind: 'text', name: 'object', label: 'Id of the record', isWide: true },
  { kind: 'choice', name: 'actor', label: 'Who', options: people },
  { kind: 'choice', name: 'action', label: 'What', options: knownActions },
  { kind: 'period', name: 'from', to: 'to', label: 'Days' },
]

/** The audit trail: every act of administration, newest first, and whether the trail is intact. */
export default function Audit() {
  const filters = useFilters(names)
  const zone = useStore(zoneStore)
  const [selected, select] = useState<string | null>(null)
  const { from, to, ...texts } = filters.values
  const asked = { ...givenFilters(texts), from: dayStart(from, zone), to: dayStart(to, zone, 1) }
  const list = useList<AuditAct>({
    key: ['audit', 'acts', asked],
    page: (after, limit, signal) => auditPage(asked, after, limit, signal),
  })
  const people = usePeople(list.rows, filters.values.actor)
  return (
    <Page title="Audit trail" actions={<CsvLink href={`${apiBase}/audit/export`} query={asked} />}>
      <ChainState />
      <Filters label="Filter acts" of={filters} fields={fieldsOf(people)} />
      <div class={selected ? 'columns is-side' : 'columns'}>
        <DataTable
          label="Acts"
          columns={selected ? besideColumns : columns}
          list={list}
          onSelect={({ id }) => select(id)}
          selectedId={selected}
          empty={<NoActs isFiltered={filters.hasAny} />}
        />
        {selected ? <ActDetail key={selected} id={selected} onClose={() => select(null)} /> : null}
      </div>
    </Page>
  )
}

const NoActs = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="No act matches these filters">Ids and routes must be given whole.</Empty>
  ) : (
    <Empty title="No acts yet">Changes made by staff and in this console appear here.</Empty>
  )

interface Person {
  id: string
  name: string
}

const mostPeople = 100

/** Whose acts can be chosen: colleagues at work, those seen in the trail so far, and the one that is chosen. */
function usePeople(rows: readonly AuditAct[] | undefined, chosen: string): Person[] {
  const seen = useRef(new Set<string>()).current
  for (const { actor } of rows ?? []) if (isUuid(actor) && seen.size < mostPeople) seen.add(actor)
  if (isUuid(chosen)) seen.add(chosen)
  const names = useUserNames([...seen].sort())
  const { data: colleagues = [] } = useColleagues(true)
  const known = new Map([...colleagues, ...(names.data ?? [])].map(({ id, name }) => [id, name]))
  return [...known].map(([id, name]) => ({ id, name })).sort((one, other) => one.name.localeCompare(other.name))
}

/** Whether every row of the trail is unchanged. */
function ChainState() {
  const check = useCheck()
  return (
    <Loaded of={check} lines={1}>
      {(found) => (
        <Note tone={!found.intact ? 'bad' : found.isComplete ? 'good' : 'wait'} icon={iconOf(found)}>
          <div class="ends">
            <div>
              <strong>{verdictOf(found)}</strong> <Words of={found} />
            </div>
            <Button isSmall icon="refresh" disabled={check.isFetching} onClick={() => void check.refetch()}>
              {check.isFetching ? 'Checking…' : found.isComplete ? 'Check again' : 'Check further'}
            </Button>
          </div>
        </Note>
      )}
    </Loaded>
  )
}

const iconOf = ({ intact, isComplete }: AuditCheck) => (!intact ? 'alert' : isComplete ? 'check' : 'clock')

/** The verdict; an incomplete check claims only what it has checked. */
function verdictOf({ intact, isComplete }: AuditCheck): string {
  if (!intact) return 'The trail was tampered with.'
  return isComplete ? 'The trail is whole.' : 'No break so far: the check is not complete yet.'
}

function Words({ of: { intact, isComplete, rows, head, problem, unanswered, checkedAt } }: { of: AuditCheck }) {
  return (
    <>
      {intact ? `${formatCount(rows)} rows, each with the hash of the one before.` : problem} Checked{' '}
      <Time at={checkedAt} zone />.{' '}
      {isComplete && unanswered > 0
        ? `${counted(unanswered, 'act')} ${unanswered === 1 ? 'has' : 'have'} no answer. `
        : ''}
      {rows > 0 ? (
        <span class="sub">
          Row {formatCount(head.number)}: <code>{head.hash}</code>
        </span>
      ) : null}
    </>
  )
}

const doorWords = { console: 'the console', api: 'the API', command: 'a command' }

/** One act: who, from where, the request, the changes. */
function ActDetail({ id, onClose }: { id: string; onClose(): void }) {
  const act = useAct(id)
  return (
    <SidePanel>
      <Card
        title={act.data ? actTitle(act.data) : 'Act'}
        aside={<Button look="quiet" isSmall icon="cross" aria-label="Close the act" onClick={onClose} />}
      >
        <Loaded of={act} lines={8}>
          {(found) => <Detail of={found} />}
        </Loaded>
      </Card>
    </SidePanel>
  )
}

function Detail({ of }: { of: AuditActDetail }) {
  const { at, answeredAt, address, door, session, object, service, action, requestId, status, rows } = of
  return (
    <>
      <Facts
        of={[
          ['Outcome', <Outcome status={status} />],
          ['Who', <ActorName of={of} />],
          ['From', door === 'start' ? address : `${address}, by ${doorWords[door]}`],
          ['Session', session ? <Id value={session} /> : null],
          ['Asked', <Time at={at} ms zone />],
          ['Answered', answeredAt ? <Time at={answeredAt} ms zone /> : 'not in the trail'],
          ['Route', <code>{`${service} ${action}`}</code>],
          ['About', object ? <Id value={object} isWhole /> : null],
          ['Request', <RequestId value={requestId} />],
          ['Rows', rows.map(({ number }) => number).join(' and ')],
        ]}
      />
      <Notes of={of} />
      <Changes of={of} />
      <Parts of={of} />
    </>
  )
}

function Notes({ of: { status, problem, isRepeat } }: { of: AuditActDetail }) {
  return (
    <>
      {problem ? <Note tone="bad">{problem}</Note> : null}
      {isRepeat ? <Note>A repeat with the same idempotency key: nothing was done twice.</Note> : null}
      {status === null ? (
        <Note tone="wait">
          It was forwarded, and no answer was recorded. Check the record that it concerns before you repeat it.
        </Note>
      ) : null}
    </>
  )
}

function Changes({ of: { before, after } }: { of: AuditActDetail }) {
  const changes = changesBetween(before, after)
  if (!changes) return null
  if (changes.length === 0) return <p class="hint">The record was the same before and after.</p>
  return (
    <table class="table changes" aria-label="What changed">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, from, to }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td class="bad">{shownValue(from)}</td>
            <td>{shownValue(to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Parts({ of: { request, before, after, answer } }: { of: AuditActDetail }) {
  const parts = [
    ['Request', request],
    ['Before', before],
    ['After', after],
    ['Answer of the service', answer],
  ] as const
  return (
    <>{parts.map(([title, part]) => (part === undefined ? null : <JsonView key={title} title={title} of={part} />))}</>
  )
}

const columns: readonly Column<AuditAct>[] = [
  { head: 'At', narrow: 'sub-end', cell: ({ at }) => <Time at={at} /> },
  { head: 'Who', narrow: 'lead', cell: (act) => <ActorName of={act} /> },
  { head: 'What', narrow: 'sub', isWide: true, cell: (act) => <Sentence of={act} /> },
  { head: 'Outcome', narrow: 'end', cell: ({ status }) => (isDone(status) ? null : <Outcome status={status} />) },
  {
    head: 'From',
    narrow: 'hide',
    needsRoom: true,
    cell: ({ address, door }) => (door === 'start' ? address : `${address} (${door})`),
  },
]
/** Who, what and the outcome: the details are in the panel beside them. */
const besideColumns = columns.slice(0, 4)

/** What was done, in a sentence that goes on after the name. */
function Sentence({ of }: { of: Pick<AuditAct, 'action' | 'newStatus' | 'service' | 'object'> }) {
  const { object } = of
  const [before, after] = sentenceOf(of)
  if (after === null || !object) return <>{actTitle(of).replace(/^./, (first) => first.toLowerCase())}</>
  return (
    <>
      {before}
      <ObjectName of={of} id={object} isTyped={/ (deposit|withdrawal|transfer|payment) $/.test(before)} />
      {after}
    </>
  )
}

const isDone = (status: number | null): boolean => status !== null && status < 300

/** The outcome of an act. One without an answer may have been carried out. */
function Outcome({ status }: { status: number | null }) {
  if (status === null) return <Status value="no answer" tone="wait" />
  if (status < 300) return <Status value="done" />
  const words = status === 403 ? 'not allowed' : status < 500 ? 'refused' : 'failed'
  return <Status value={`${words} ${status}`} tone="bad" />
}
