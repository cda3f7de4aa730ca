import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Chain() {
  return (
    <Page title="Wallets and chains">
      <Empty title="This page is being built" />
    </Page>
  )
}
