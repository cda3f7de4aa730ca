import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function OneCustomer() {
  return (
    <Page title="Customer">
      <Empty title="This page is being built" />
    </Page>
  )
}
