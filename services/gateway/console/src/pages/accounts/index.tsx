import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Accounts() {
  return (
    <Page title="Accounts">
      <Empty title="This page is being built" />
    </Page>
  )
}
