import { useList } from '../../api/list'
import { useRead } from '../../api/read'
import { bodyPageOf, main, pageOf, participant } from '../../api/services'
import { useCan } from '../../api/session'
import { formatCount } from '../../format/amount'
import { givenFilters } from '../../format/filters'
import { Figure } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Filters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Tabs, useTabs } from '../../ui/tabs'
import { Ago, Time } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { Banks } from '../bank/banks'
import {
  type InstitutionRow,
  type InstitutionStatus,
  institutionStatuses,
  type ParticipantRecord,
} from './institution-query'
import { RegisterInstitution } from './register-institution'
import { toneOf } from './review-moves'

const tabs = [
  ['', 'Institutions'],
  ['participants', 'Participants'],
  ['custodians', 'Custodian banks'],
] as const

/** Institutions in onboarding, participants, and custodian banks. */
export default function Participants() {
  const tab = useTabs('tab', tabs)
  const canOperate = useCan('operate')
  return (
    <Page
      title="Participants"
      actions={
        <>
          <Tabs label="What is listed" of={tab} />
          {tab.value === '' && canOperate ? (
            <DialogButton look="main" icon="plus" dialog={(close) => <RegisterInstitution onClose={close} />}>
              Register an institution
            </DialogButton>
          ) : null}
        </>
      }
    >
      {tab.value === 'participants' ? (
        <AllParticipants />
      ) : tab.value === 'custodians' ? (
        <Banks />
      ) : (
        <>
          <OnboardingFigures />
          <Institutions />
        </>
      )}
    </Page>
  )
}

const figures = [
  { status: 'NOT_STARTED', label: 'Registered, not started', tone: 'wait' },
  { status: 'UNDER_REVIEW', label: 'Under review', tone: 'wait' },
  { status: 'APPROVED', label: 'Approved', tone: undefined },
  { status: 'PAUSED', label: 'Paused', tone: 'wait' },
] as const

/** The number of institutions in each status, and how long the first has waited. */
function OnboardingFigures() {
  return (
    <div class="figures">
      {figures.map((figure) => (
        <StatusFigure key={figure.status} {...figure} />
      ))}
    </div>
  )
}

function StatusFigure({ status, label, tone }: { status: InstitutionStatus; label: string; tone: 'wait' | undefined }) {
  const { data } = useRead(
    ['institutions', 'figure', status],
    (signal) => main.GET('/admin/pfi', { params: { query: { status, limit: 1 } }, signal }),
    { refetchInterval: 60_000 },
  )
  const total = data?.pageInfo.total
  const [oldest] = data?.data ?? []
  return (
    <Figure
      label={label}
      href={`/console/participants?status=${status}`}
      tone={total ? tone : undefined}
      value={total === undefined ? '–' : formatCount(total)}
      note={tone && oldest ? <Ago what="first registered" at={oldest.createdAt} /> : null}
    />
  )
}

/** All participants with their customers, including those that an administrator created without a review. */
function AllParticipants() {
  const filters = useFilters(['institutionName', 'address'])
  const given = givenFilters(filters.values)
  const list = useList<ParticipantRecord>({
    key: ['participants', given],
    page: (_after, limit, signal, offset) =>
      pageOf(
        participant.GET('/participants', { params: { query: { ...given, limit, offset, order: 'desc' } }, signal }),
      ),
  })
  return (
    <>
      <Filters
        label="Filter participants"
        of={filters}
        fields={[
          { kind: 'text', name: 'institutionName', label: 'A part of the name', isWide: true },
          { kind: 'text', name: 'address', label: 'On-chain address' },
        ]}
      />
      <DataTable
        label="Participants, newest first"
        columns={participantColumns}
        list={list}
        hrefOf={({ id }) => `/console/participants/${id}`}
        empty={
          filters.hasAny ? (
            <Empty icon="search" title="No participant matches" />
          ) : (
            <Empty icon="participants" title="There is no participant yet">
              <p>An institution becomes a participant with its first approval.</p>
            </Empty>
          )
        }
      />
    </>
  )
}

const accountsIn = ({ customers }: ParticipantRecord) =>
  customers.reduce((count, { accounts }) => count + accounts.length, 0)

const participantColumns: readonly Column<ParticipantRecord>[] = [
  { head: 'Participant', narrow: 'lead', isWide: true, cell: ({ institutionName }) => <b>{institutionName}</b> },
  { head: 'Customers', align: 'end', cell: ({ customers }) => customers.length || null },
  { head: 'Accounts', align: 'end', cell: (row) => accountsIn(row) || null },
  { head: 'Since', narrow: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
]

/** The registered institutions: with a status filter those that wait longest first, else the newest first. */
function Institutions() {
  const filters = useFilters(['search', 'status'])
  const { search, status } = filters.values
  const asked = {
    order: status === '' ? ('desc' as const) : ('asc' as const),
    ...(search ? { search } : {}),
    ...(status ? { status: status as InstitutionStatus } : {}),
  }
  const list = useList<InstitutionRow>({
    key: ['institutions', asked],
    page: (_after, limit, signal, offset) =>
      bodyPageOf(main.GET('/admin/pfi', { params: { query: { ...asked, limit, offset } }, signal })),
  })
  return (
    <>
      <Filters
        label="Filter institutions"
        of={filters}
        fields={[
          { kind: 'text', name: 'search', label: 'A part of the name', isWide: true },
          { kind: 'choice', name: 'status', label: 'Status', options: institutionStatuses },
        ]}
      />
      <DataTable
        label={status ? 'Institutions, oldest first' : 'Institutions, newest first'}
        columns={institutionColumns}
        list={list}
        hrefOf={({ id }) => `/console/participants/${id}`}
        empty={
          filters.hasAny ? (
            <Empty icon="search" title="No institution matches" />
          ) : (
            <Empty icon="participants" title="No institution has registered yet">
              <p>An operator registers one here, or an institution does so itself with POST /participants.</p>
            </Empty>
          )
        }
      />
    </>
  )
}

const institutionColumns: readonly Column<InstitutionRow>[] = [
  { head: 'Institution', narrow: 'lead', isWide: true, cell: ({ name }) => <b>{name}</b> },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} tone={toneOf(status)} /> },
  { head: 'Country', narrow: 'sub', cell: ({ country }) => country },
  { head: 'Registration', narrow: 'hide', needsRoom: true, cell: ({ registrationNumber }) => registrationNumber },
  { head: 'Registered', narrow: 'sub-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'First approved',
    narrow: 'hide',
    cell: ({ approvedAt }) => (approvedAt ? <Time at={approvedAt} /> : null),
  },
]
