import { useState } from 'preact/hooks'
import { useCan } from '../../api/session'
import { Button } from '../../ui/button'
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
  const [isRegistering, setRegistering] = useState(false)
  const tab = tabs.some(({ value }) => value === values.tab) ? values.tab : ''
  return (
    <Page
      title="Participants"
      actions={
        <>
          <Tabs label="What is listed" tabs={tabs} value={tab} onChange={(wanted) => set('tab', wanted)} />
          {tab === '' && canOperate ? (
            <Button look="main" icon="plus" onClick={() => setRegistering(true)}>
              Register an institution
            </Button>
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
      {isRegistering ? <RegisterInstitution onClose={() => setRegistering(false)} /> : null}
    </Page>
  )
}
