import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'

export default function Review() {
  return (
    <Page title="Review queue">
      <Empty title="This page is being built" />
    </Page>
  )
}
