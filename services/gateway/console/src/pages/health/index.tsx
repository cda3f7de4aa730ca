import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Health() {
  return (
    <Page title="Health">
      <Empty title="This page is being built" />
    </Page>
  )
}
