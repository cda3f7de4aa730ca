import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Log() {
  return (
    <Page title="Activity log">
      <Empty title="This page is being built" />
    </Page>
  )
}
