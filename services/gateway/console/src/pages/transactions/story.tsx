import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Story() {
  return (
    <Page title="Transaction">
      <Empty title="This page is being built" />
    </Page>
  )
}
