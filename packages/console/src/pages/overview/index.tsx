import lazy from 'preact-iso/lazy'
import { can, useSession } from '../../api/session'
import { loadPage } from '../../ui/load-page'
import { Page } from '../../ui/page'
import { pagesStyle } from '../../ui/pages-style'
import { Empty } from '../../ui/states'
import { PlatformOverview } from './platform-overview'

/** Staff do not load it. */
const OwnInstitution = lazy(() => loadPage(() => import('../participants/one'), pagesStyle))

/** What waits, what moved and what is held; for people of one institution, theirs. */
export default function Overview() {
  const session = useSession()
  if (can(session, 'read')) return <PlatformOverview />
  return <OwnOverview participantId={session.user.participantId} />
}

/** For people of an institution, that institution. */
function OwnOverview({ participantId }: { participantId: string | null }) {
  if (participantId) return <OwnInstitution params={{ id: participantId }} />
  return (
    <Page title="Overview">
      <Empty icon="participants" title="Your institution">
        <p>You belong to no institution. An administrator can change that.</p>
      </Empty>
    </Page>
  )
}
