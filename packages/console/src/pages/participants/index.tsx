import { useFilters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Tabs } from '../../ui/tabs'
import { AllParticipants } from './all-participants'
import { Institutions } from './institutions'
import { OnboardingFigures } from './onboarding-figures'

const tabs = [
  { value: '', words: 'Institutions' },
  { value: 'participants', words: 'Participants' },
]

/** Institutions in onboarding, and participants. */
export default function Participants() {
  const { values, set } = useFilters(['tab'])
  const isAll = values.tab === 'participants'
  return (
    <Page
      title="Participants"
      actions={
        <Tabs label="What is listed" tabs={tabs} value={isAll ? values.tab : ''} onChange={(tab) => set('tab', tab)} />
      }
    >
      {isAll ? (
        <AllParticipants />
      ) : (
        <>
          <OnboardingFigures />
          <Institutions />
        </>
      )}
    </Page>
  )
}
