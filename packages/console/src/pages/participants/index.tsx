import { useCan } from '../../api/session'
import { DialogButton } from '../../ui/dialog-button'
import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { Banks } from '../bank/banks'
import { AllParticipants } from './all-participants'
import { Institutions } from './institutions'
import { OnboardingFigures } from './onboarding-figures'
import { RegisterInstitution } from './register-institution'

const tabs = [
  { value: '', words: 'Institutions' },
  { value: 'participants', words: 'Participants' },
  { value: 'custodians', words: 'Custodian banks' },
]

/** Institutions in onboarding, participants, and custodian banks. */
export default function Participants() {
  const { values, set } = useFilters(['tab'])
  const canOperate = useCan('operate')
  const tab = tabs.some(({ value }) => value === values.tab) ? values.tab : ''
  return (
    <Page
      title="Participants"
      actions={
        <>
          <Tabs label="What is listed" tabs={tabs} value={tab} onChange={(wanted) => set('tab', wanted)} />
          {tab === '' && canOperate ? (
            <DialogButton look="main" icon="plus" dialog={(close) => <RegisterInstitution onClose={close} />}>
              Register an institution
            </DialogButton>
          ) : null}
        </>
      }
    >
      {tab === 'participants' ? (
        <AllParticipants />
      ) : tab === 'custodians' ? (
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
