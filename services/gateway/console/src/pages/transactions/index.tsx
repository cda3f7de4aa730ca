import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Transactions() {
  return (
    <Page title="Transactions">
      <Empty title="This page is being built" />
    </Page>
  )
}
