import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Sanctions() {
  return (
    <Page title="Sanctions">
      <Empty title="This page is being built" />
    </Page>
  )
}
