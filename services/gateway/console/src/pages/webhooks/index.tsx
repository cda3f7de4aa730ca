import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Webhooks() {
  return (
    <Page title="Webhooks">
      <Empty title="This page is being built" />
    </Page>
  )
}
