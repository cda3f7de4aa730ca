import { useCan } from '../../api/session'
import { DialogButton } from '../../ui/dialog-button'
import { Page } from '../../ui/page'
import { Tabs, useTabs } from '../../ui/tabs'
import { Banks } from '../bank/banks'
import { AllParticipants } from './all-participants'
import { Institutions } from './institutions'
import { OnboardingFigures } from './onboarding-figures'
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
