import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Customers() {
  return (
    <Page title="Customers">
      <Empty title="This page is being built" />
    </Page>
  )
}
