import { useRead } from '../../api/read'
import { main } from '../../api/services'
import { useCan } from '../../api/session'
import { formatCount } from '../../format/amount'
import { Figure } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Page } from '../../ui/page'
import { Tabs, useTabs } from '../../ui/tabs'
import { Ago } from '../../ui/time'
import { Banks } from '../bank/banks'
import { AllParticipants } from './all-participants'
import type { InstitutionStatus } from './institution-query'
import { Institutions } from './institutions'
import { RegisterInstitution } from './register-institution'

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
