import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Bank() {
  return (
    <Page title="Bank money">
      <Empty title="This page is being built" />
    </Page>
  )
}
