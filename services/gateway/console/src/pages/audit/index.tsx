import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Audit() {
  return (
    <Page title="Audit trail">
      <Empty title="This page is being built" />
    </Page>
  )
}
