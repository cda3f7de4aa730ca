import { useRef, useState } from 'preact/hooks'
import { apiBase } from '../../api/http'
import { useList } from '../../api/list'
import { useUserNames } from '../../api/names'
import { useColleagues } from '../../api/review-notes'
import { useStore } from '../../api/store'
import { givenFilters } from '../../format/filters'
import { dayStart } from '../../format/time'
import { isUuid } from '../../format/words'
import { CsvLink } from '../../ui/csv-link'
import { DataTable } from '../../ui/data-table'
import { type FilterField, Filters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { zoneStore } from '../../ui/preferences'
import { Empty } from '../../ui/states'
import { useFilters } from '../../ui/use-filters'
import { ActDetail } from './act-detail'
import { knownActions } from './act-sentences'
import { besideColumns, columns } from './audit-columns'
import { type AuditAct, auditPage } from './audit-query'
import { ChainState } from './chain-state'

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
