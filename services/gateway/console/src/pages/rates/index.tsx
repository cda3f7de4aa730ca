import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Rates() {
  return (
    <Page title="Rates">
      <Empty title="This page is being built" />
    </Page>
  )
}
