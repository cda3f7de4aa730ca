import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function OneAccount() {
  return (
    <Page title="Account">
      <Empty title="This page is being built" />
    </Page>
  )
}
