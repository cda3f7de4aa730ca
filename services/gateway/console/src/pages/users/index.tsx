import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Users() {
  return (
    <Page title="Users">
      <Empty title="This page is being built" />
    </Page>
  )
}
