import { LinkButton } from '../ui/button'
import { Page } from '../ui/page'
import { Empty } from '../ui/states'

/** For an address without a page, or with one that the user's role does not see. */
const NoSuchPage = () => (
  <Page title="No such page">
    <Empty icon="search" title="This page does not exist">
      <p>The address is wrong, or your role does not see this page. Search by any id, reference, hash or address.</p>
      <LinkButton href="/console">To the first page</LinkButton>
    </Empty>
  </Page>
)
export default NoSuchPage
