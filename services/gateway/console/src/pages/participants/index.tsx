import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Participants() {
  return (
    <Page title="Participants">
      <Empty title="This page is being built" />
    </Page>
  )
}
