import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function OneParticipant() {
  return (
    <Page title="Participant">
      <Empty title="This page is being built" />
    </Page>
  )
}
